import type { FoundCustomers } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { routeSockets } from "../support/device-line.ts";
import { HUB_NAME } from "../support/hub-name.ts";
import { expect, test } from "../support/touch-test.ts";

/** One word of 60 signs, as an address of mail that somebody took for a name. */
const LONG = "maria.altagracia.delosangeles@restaurantelaterraza.com.do".padEnd(60, "x");

/** What of these parts juts out of its window, by its text. */
function beyondTheWindow(page: Page, parts: string): Promise<(string | null)[]> {
  return page.locator(parts).evaluateAll((all) => {
    const shown = all.filter((each) => each.getBoundingClientRect().width > 0);
    const cut = shown.filter(
      (each) => each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth + 1,
    );
    return cut.map(({ textContent }) => textContent);
  });
}

test("[TOUCH-484] names of people, guests and customers that are one long word push nothing aside", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("gerente-nombres");
  await online(manager);
  const at = new Date(manager.now() + 20 * 60_000).toISOString();
  await manager.putBooking("larga", { tableId: 31, at, guestName: LONG, partySize: 4 });
  const order = newOrder("NOMBRES", [lineOf("uno", 100)]);
  manager.openOrder({ ...order, orderType: "takeout", tableId: null, customerName: LONG });
  manager.pay("NOMBRES", { payments: [{ methodId: 2, amount: 100 }] });
  await manager.idle();

  const page = await open({ name: "nombres-largos", login: "cashier" });
  await page.route("**/terminal/v1/customers*", async (route) => {
    const url = route.request().url().replace(HUB_NAME, "127.0.0.1");
    const found = (await (await route.fetch({ url })).json()) as FoundCustomers;
    await route.fulfill({ json: { ...found, customers: found.customers.map((each) => ({ ...each, name: LONG })) } });
  });
  await routeSockets(page, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((message) => socket.send(String(message).replaceAll("Carlos Jiménez", LONG)));
  });
  await page.reload();
  await page.getByRole("link", { name: "Cobradas" }).tap();
  await expect(page.getByRole("button", { name: new RegExp(`^${LONG}`) })).toBeVisible();
  expect.soft(await beyondTheWindow(page, ".recent-row, .recent-paid .act")).toEqual([]);

  await page.evaluate(() => (location.hash = "#/host"));
  await expect(page.locator(".booking").getByText(LONG)).toBeVisible();
  expect.soft(await beyondTheWindow(page, ".booking, .booking *:not(svg, svg *)")).toEqual([]);

  await page.locator(".person-chip").tap();
  await expect(page.getByRole("dialog").getByText(LONG)).toBeVisible();
  expect.soft(await beyondTheWindow(page, ".person-top > *")).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Cerrar" }).tap();

  await page.evaluate(() => (location.hash = "#/table/33"));
  await page.locator(".tile").first().tap();
  await page.locator(".order-total").tap();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Cobrar/ })
    .tap();
  await page.getByRole("button", { name: /^Consumidor final · E32/ }).tap();
  await expect(page.locator(".customer").first()).toContainText(LONG);
  expect.soft(await beyondTheWindow(page, ".customer")).toEqual([]);
});
