import { DAY_MS } from "@comanda/protocol";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { createOperator } from "../../screens/support/operator.ts";
import { routeSockets } from "../support/device-line.ts";
import { HUB_NAME } from "../support/hub-name.ts";
import { expect, test } from "../support/touch-test.ts";

const dayBefore = (iso: string): string => new Date(Date.parse(iso) - DAY_MS).toISOString();
/** Rewrites the hub's messages as if the shift had been opened and the check paid the day before. */
const withDayBefore = (json: string): string =>
  json.replaceAll(/"(openedAt|paidAt)":"([^"]+)"/g, (_, name: string, at: string) => `"${name}":"${dayBefore(at)}"`);

test("a check paid yesterday and a shift opened yesterday show their day [TOUCH-481]", async ({ open, restaurant }) => {
  const name = "caja-medianoche";
  const operator = await createOperator(restaurant);
  await operator.post("/operator/v1/tills", { id: name, name: "Barra", terminals: [name] });
  const cashier = await restaurant.terminal(name, { login: "cashier" });
  await online(cashier);
  await expect.poll(() => cashier.tills().length).toBe(1);
  cashier.openShift(name, 500);
  const order = newOrder("MEDIANOCHE", [lineOf("uno", 100)]);
  cashier.openOrder(order);
  cashier.pay(order.posReference, { payments: [{ methodId: 2, amount: 100 }] });
  await cashier.idle();
  await cashier.stop();

  const page = await open({ name, login: "cashier", kind: "pc" });
  await page.route("**/terminal/v1/orders/recent*", async (route) => {
    const url = route.request().url().replace(HUB_NAME, "127.0.0.1");
    const answer = await route.fetch({ url });
    await route.fulfill({ response: answer, body: withDayBefore(await answer.text()) });
  });
  await routeSockets(page, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((message) => socket.send(withDayBefore(String(message))));
  });
  await page.reload();
  await page.getByRole("link", { name: "Cobradas" }).tap();
  await expect(page.getByRole("button", { name: /RD\$100\.00.*ayer, \d/ })).toBeVisible();
  await page.getByRole("link", { name: "Caja", exact: true }).tap();
  await expect(page.getByText(/^Turno de .*, desde ayer, \d/)).toBeVisible();
});
