import type { FoundCustomers } from "@comanda/protocol";
import type { Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { routeSockets } from "../support/device-line.ts";
import { HUB_NAME } from "../support/hub-name.ts";
import { expect, test } from "../support/touch-test.ts";

/** One word of 60 characters, like an email address that was entered as a name. */
const LONG = "maria.altagracia.delosangeles@restaurantelaterraza.com.do".padEnd(60, "x");

/** Returns the texts of those parts that exceed the window. */
function beyondTheWindow(page: Page, parts: string): Promise<(string | null)[]> {
  return page.locator(parts).evaluateAll((all) => {
    const shown = all.filter((each) => each.getBoundingClientRect().width > 0);
    const cut = shown.filter(
      (each) => each.getBoundingClientRect().right > innerWidth || each.scrollWidth > each.clientWidth + 1,
    );
    return cut.map(({ textContent }) => textContent);
  });
}

test("names of people, guests and customers of one long word push nothing out of the window [TOUCH-484]", async ({
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

for (const percent of [100, 130]) {
  test(`long names of areas, stations, tables and guests are shown whole at 360 px (${percent} %) [TOUCH-515]`, async ({
    open,
    restaurant,
  }) => {
    const name = `largos-${percent}`;
    const cashier = await restaurant.terminal(`caja-${name}`);
    await online(cashier);
    const guest = "Juana Altagracia de la Cruz y Compañía Limitada";
    const away = { ...newOrder(`AL-${percent}`, [lineOf("uno", 100)]), orderType: "takeout" as const };
    cashier.openOrder({ ...away, tableId: null, customerName: guest });
    const tableId = percent === 100 ? 28 : 29;
    cashier.openOrder(newOrder(`MESA-${percent}`, [lineOf("uno", 2_662.4)], tableId));
    await cashier.idle();

    const page = await open({ name, login: "cashier" });
    await page.route(/terminal\/v1\/(floors|menu)/, async (route) => {
      const url = route.request().url().replace(HUB_NAME, "127.0.0.1");
      const headers = { ...route.request().headers(), "if-none-match": "" };
      const responseText = await (await route.fetch({ url, headers })).text();
      const longNames = responseText
        .replaceAll(/"(Salón|Terraza|Cocina|Bar)"/g, '"$1 del segundo piso con vista al mar"')
        .replaceAll(/"(Mesa \d+)"/g, '"$1 del patio trasero"');
      await route.fulfill({ contentType: "application/json", body: longNames });
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await page.addStyleTag({ content: `:root, body { font-size: ${(16 * percent) / 100}px !important; }` });
    await expect(page.getByRole("tab", { name: "Salón del segundo piso con vista al mar" })).toBeVisible();
    expect.soft(await outOfTheirBox(page, ".floor-tabs .act, .floor-check")).toEqual([]);

    await page.evaluate((id) => (location.hash = `#/table/${id}`), tableId);
    await expect(page.locator(".order-title")).toContainText("patio trasero");
    expect.soft(await outOfTheirBox(page, ".order-title")).toEqual([]);

    await page.evaluate((reference) => (location.hash = `#/pay/${reference}`), `MESA-${percent}`);
    await expect(page.locator(".pay-head h1")).toContainText("patio trasero Cuenta 1");
    expect.soft(await outOfTheirBox(page, ".pay-head h1, .pay-name")).toEqual([]);

    await page.evaluate((reference) => (location.hash = `#/check/${reference}`), `AL-${percent}`);
    await page.locator(".order-total").tap();
    await expect(page.locator(".sheet-title")).toHaveText(guest);
    await expect(page.locator(".check-about")).not.toContainText(guest);

    await page.evaluate(() => (location.hash = "#/kitchen"));
    await expect(page.getByRole("button", { name: "Cocina del segundo piso con vista al mar" })).toBeAttached();
    expect.soft(await outOfTheirBox(page, ".kitchen-stations .act")).toEqual([]);

    await page.evaluate(() => (location.hash = "#/host"));
    await page.getByRole("button", { name: "Anotar reserva" }).tap();
    await expect(page.getByRole("button", { name: "Mañana" })).toBeVisible();
    expect.soft(await beyondTheWindow(page, ".booking-days > *")).toEqual([]);
  });
}

/** Returns the texts of those parts that are cut or run over their neighbours. */
function outOfTheirBox(page: Page, parts: string): Promise<(string | null)[]> {
  return page.locator(parts).evaluateAll((all) => {
    const shown = all.filter((each) => each.getBoundingClientRect().width > 0);
    const isOut = ({ scrollWidth, clientWidth, scrollHeight, clientHeight }: Element): boolean =>
      scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 2;
    return shown.filter(isOut).map(({ textContent }) => textContent);
  });
}
