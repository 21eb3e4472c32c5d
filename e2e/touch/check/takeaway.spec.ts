import { DAY_MS, MINUTE_MS } from "@comanda/protocol";
import type { Locator, Page } from "@playwright/test";
import { contactOf } from "@comanda/rules";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { signInByForm } from "../support/people-acts.ts";
import { expect, tapsOf, test } from "../support/touch-test.ts";

test("a delivery's telephone, address and promised time show on its check, its time also in list and kitchen [TOUCH-394, TOUCH-486]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("delivery-otro", { login: "manager" });
  await online(other);
  const late = new Date(other.now() - 10 * MINUTE_MS).toISOString();
  const tomorrow = new Date(other.now() + DAY_MS).toISOString();
  const order = { ...newOrder("AWAY-1", [lineOf("a", 300)]), orderType: "takeout", tableId: null } as const;
  other.openOrder({ ...order, customerName: "Sin hora" });
  other.openOrder({
    ...order,
    posReference: "AWAY-2",
    customerName: "Tarde",
    pluginData: { contact: { promisedAt: late } },
  });
  other.openOrder({
    ...order,
    posReference: "AWAY-TOMORROW",
    customerName: "Otro día",
    pluginData: { contact: { promisedAt: tomorrow } },
  });
  await other.idle();

  const page = await open({ name: "delivery" });
  await page.evaluate(() => (location.hash = "#/takeaway/new"));
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.getByRole("button", { name: /1 línea/ }).tap();
  await page.getByRole("button", { name: "Teléfono y hora" }).tap();
  const sheet = page.getByRole("dialog").last();
  await sheet.getByLabel("Cliente").fill("Josefina");
  await sheet.getByRole("button", { name: "A domicilio" }).tap();
  await sheet.getByLabel("Teléfono").fill("809-555-0142");
  await sheet.getByLabel("Dirección").fill("C/ Duarte 5, Gazcue");
  await sheet.getByRole("button", { name: "En 45 min" }).tap();
  expect(await seriousIssues(page)).toEqual([]);
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect(page.getByRole("dialog").getByText(/^para .*\d.* · 809-555-0142 · C\/ Duarte 5, Gazcue$/)).toBeVisible();

  const stored = () => other.orders().find(({ snapshot }) => snapshot.customerName === "Josefina")?.snapshot;
  await expect
    .poll(() => contactOf(stored() ?? {}))
    .toMatchObject({ phone: "809-555-0142", address: "C/ Duarte 5, Gazcue" });
  const promised = Date.parse(contactOf(stored() ?? {}).promisedAt ?? "");
  expect(Math.abs(promised - (other.now() + 45 * MINUTE_MS))).toBeLessThan(2 * MINUTE_MS);
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Enviar/ })
    .tap();
  await expect.poll(() => stored()?.status).toBe("sent");

  await page.evaluate(() => (location.hash = "#/takeaway"));
  const listed = page.locator(".takeaway .table-tile");
  await expect(listed).toHaveText([
    /^TardeEra para (ayer )?\d/,
    /^JosefinaPara .*809-555-0142C\/ Duarte 5, Gazcue/,
    /^Otro díaPara mañana \d/,
    /^Sin hora/,
  ]);
  const kitchen = await open({ name: "cocina-delivery", kind: "tablet" });
  await kitchen.evaluate(() => (location.hash = "#/kitchen"));
  const ticket = kitchen.getByRole("article").filter({ hasText: "Josefina" });
  await expect(ticket.getByText(/^Para (mañana )?\d/)).toBeVisible();
});

test("undo removes the first telephone number entered on a check [TOUCH-44]", async ({ open, restaurant }) => {
  const other = await restaurant.terminal("takeaway-undo", { login: "manager" });
  await online(other);
  other.openOrder({ ...newOrder("AWAY-3", [lineOf("a", 300)]), orderType: "takeout", tableId: null });
  await other.idle();
  const stored = () => other.orders().find(({ posReference }) => posReference === "AWAY-3")?.snapshot;

  const page = await open({ name: "undo-contact", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/check/AWAY-3"));
  await page.getByRole("button", { name: "Teléfono y hora" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Teléfono").fill("809-555-0177");
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect.poll(() => contactOf(stored() ?? {})).toEqual({ phone: "809-555-0177" });
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => contactOf(stored() ?? {})).toEqual({});
  await expect(page.getByRole("button", { name: "Teléfono y hora" })).toBeVisible();
});

test("a takeaway check without a name is called by its number, also once it has a telephone number [TOUCH-394]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("takeaway-nameless", { login: "manager" });
  await online(other);
  const lines = [lineOf("a", 300)];
  other.openOrder({ ...newOrder("AWAY-4", lines), orderType: "takeout", tableId: null, customerName: "" });
  await other.idle();
  const stored = () => other.orders().find(({ posReference }) => posReference === "AWAY-4")?.snapshot;
  const called = (stored()?.ticketNumber ?? "Para llevar").replaceAll("-", "\u2011");

  const page = await open({ name: "nameless", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/check/AWAY-4"));
  await page.getByRole("button", { name: "Teléfono y hora" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Teléfono").fill("809-555-0188");
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect.poll(() => contactOf(stored() ?? {})).toEqual({ phone: "809-555-0188" });
  await expect(page.locator(".check-name")).toHaveText(called);
  await page.evaluate(() => (location.hash = "#/takeaway"));
  const tile = page.locator(".takeaway .table-tile").filter({ hasText: "809-555-0188" });
  await expect(tile.locator(".table-name")).toHaveText(called);
});

test("no tile is lower than its text on a page with more dishes than fit [TOUCH-445]", async ({ open }) => {
  const page = await open({ name: "pantalla-baja", kind: "phone" });
  await page.setViewportSize({ width: 390, height: 560 });
  await page.getByRole("link", { name: "Para llevar", exact: true }).tap();
  await page.getByRole("link", { name: "Nueva para llevar" }).tap();
  await page.getByRole("tab", { name: "Platos fuertes" }).tap();
  const tiles = page.locator(".tile");
  await expect(tiles.filter({ hasText: "Mofongo de camarones" })).toBeVisible();
  const grid = page.locator(".tiles-grid");
  expect(await grid.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)).toBe(true);
  const cut = await tiles.evaluateAll((all) =>
    all.filter(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight).map(({ textContent }) => textContent),
  );
  expect(cut).toEqual([]);
});

test("the list of takeaway checks shows how many dishes are ready until the pass has handed them over [TOUCH-532]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("takeaway-ready", { login: "manager" });
  await online(other);
  const order = newOrder("AWAY-READY", [lineOf("a", 300, { quantity: 2 }), lineOf("b", 100)]);
  other.openOrder({ ...order, orderType: "takeout", tableId: null, customerName: "Mercedes" });
  other.sendToKitchen("AWAY-READY");
  await other.idle();
  const tickets = () =>
    [...other.tickets(), ...other.recentTickets()].filter((each) => each.posReference === "AWAY-READY");
  await expect.poll(() => tickets().length).toBe(1);

  const page = await open({ name: "ready-away" });
  await page.evaluate(() => (location.hash = "#/takeaway"));
  const tile = page.getByRole("link", { name: /^Mercedes/ });
  await expect(tile).toBeVisible();
  await expect(tile.getByText(/list/)).toHaveCount(0);
  const kitchen = await open({ name: "ready-kitchen", kind: "tablet" });
  await kitchen.evaluate(() => (location.hash = "#/kitchen"));
  await kitchen.getByRole("article").filter({ hasText: "Mercedes" }).getByRole("button", { name: "Todo listo" }).tap();
  await expect(tile.getByText("3 listos")).toBeVisible();
  await kitchen.evaluate(() => (location.hash = "#/expo"));
  await kitchen
    .getByRole("article")
    .filter({ hasText: "Mercedes" })
    .getByRole("button", { name: "Llevado", exact: true })
    .tap();
  await expect(tile.getByText(/list/)).toHaveCount(0);
});

test("ordering and paying over the counter and beginning the next check takes four taps on a phone [TOUCH-650]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("barra-mira", { login: "manager" });
  await online(other);
  const page = await open({ name: "barra", login: "cashier" });
  await page.evaluate(() => (location.hash = "#/takeaway/new"));
  const countPaid = () =>
    other.orders().filter(({ tableId, snapshot }) => tableId === null && /paid|closed/.test(snapshot.status)).length;
  const before = countPaid();
  for (let round = 1; round <= 3; round += 1) {
    const tile = page.locator(".tile").filter({ hasText: "Quipes de res" });
    await expect(tile).toBeVisible();
    await expect(page.getByRole("button", { name: /0 líneas/ })).toBeVisible();
    const taps = await tapsOf(page, async () => {
      await tile.tap();
      await page.getByRole("button", { name: "Cobrar" }).tap();
      await page.getByRole("button", { name: "Exacto" }).tap();
      await page.getByRole("button", { name: "Nueva para llevar" }).tap();
    });
    expect(taps).toBe(4);
  }
  await expect.poll(countPaid).toBe(before + 3);

  await page.addStyleTag({ content: ":root, body { font-size: 32px !important; }" });
  await page.locator(".tile").first().tap();
  await page.getByRole("button", { name: "Cobrar" }).tap();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("button", { name: "Listo" })).toBeInViewport({ ratio: 1 });
  const keys = await page
    .locator(".paid-acts .act")
    .evaluateAll((all) => all.map((key) => ({ key: key.textContent, isCut: key.scrollWidth > key.clientWidth })));
  expect(keys).toEqual(["Imprimir", "Nueva para llevar", "Listo"].map((key) => ({ key, isCut: false })));
});

test("a check whose table was removed from the plan is listed without a table and can be paid [TOUCH-897]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("mesa-quitada", { login: "manager" });
  await online(other);
  other.openOrder({ ...newOrder("GONE-1", [lineOf("a", 300)]), tableId: 9_999, customerName: "La rotonda" });
  await other.idle();
  const page = await open({ name: "quitada", login: "cashier", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/takeaway"));
  const listed = page.locator(".takeaway .table-tile").filter({ hasText: "La rotonda" });
  await listed.tap();
  await expect(page.getByRole("link", { name: "Volver" })).toHaveAttribute("href", "#/takeaway");
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: /^Exacto/ }).tap();
  // Accounting may have received it already.
  await expect.poll(() => other.order("GONE-1")?.snapshot.status).toMatch(/^(paid|closed)$/);
});

for (const kind of ["phone", "tablet"] as const) {
  test(`the focused field and the save button stay above the system's keyboard (${kind}) [TOUCH-962]`, async ({
    open,
  }) => {
    const page = await open({ name: `teclado-sistema-${kind}`, login: "cashier", kind });
    if (kind === "tablet") await page.setViewportSize({ width: 1024, height: 768 });
    await page.evaluate(() => (location.hash = "#/takeaway/new"));
    await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
    if (kind === "phone") await page.getByRole("button", { name: /1 línea/ }).tap();
    await page.getByRole("button", { name: "Teléfono y hora" }).tap();
    const sheet = page.getByRole("dialog").last();
    const save = sheet.getByRole("button", { name: "Guardar" });
    await expect(save).toBeInViewport({ ratio: 1 });
    const shown = (await page.evaluate(() => innerHeight)) / 2;
    for (const name of ["Cliente", "Notas"]) {
      const field = sheet.getByLabel(name);
      await field.tap();
      await setVisibleHeight(page, shown);
      await expect.poll(async () => bottomOf(save)).toBeLessThanOrEqual(shown);
      await expect.poll(async () => bottomOf(field)).toBeLessThanOrEqual(await topOf(save));
      expect(await topOf(field)).toBeGreaterThanOrEqual(await bottomOf(sheet.getByRole("heading", { level: 2 })));
      await setVisibleHeight(page, shown * 2);
      await expect.poll(async () => bottomOf(save)).toBeGreaterThan(shown * 1.8);
    }
  });
}

test("on a phone in landscape the whole focused field stays above the system's keyboard [TOUCH-962]", async ({
  open,
}) => {
  const page = await open({ name: "teclado-acostado", login: "cashier" });
  const shown = 180;
  await page.setViewportSize({ width: 740, height: 2 * shown });
  await page.evaluate(() => (location.hash = "#/takeaway/new"));
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.getByRole("button", { name: "Teléfono y hora" }).tap();
  const sheet = page.getByRole("dialog").last();
  // In the oldest browsers a CSS container would position and clip the notices in it.
  await expect(sheet).toHaveCSS("container-type", "normal");
  for (const name of ["Cliente", "Teléfono", "Notas"]) {
    const field = sheet.getByLabel(name);
    await field.tap();
    await setVisibleHeight(page, shown);
    await expect.poll(async () => bottomOf(field)).toBeLessThanOrEqual(shown);
    const head = await bottomOf(sheet.getByRole("heading", { level: 2 }));
    await expect.poll(async () => topOf(field)).toBeGreaterThanOrEqual(head);
    const isFree = () =>
      field.evaluate((each) => {
        const { left, bottom, height } = each.getBoundingClientRect();
        return [1, height - 1].every((up) => document.elementFromPoint(left + 20, bottom - up) === each);
      });
    await expect.poll(isFree).toBe(true);
    await setVisibleHeight(page, shown * 2);
  }
});

/** Simulates a tablet's keyboard: the page keeps its height, and only `height` px of it stay visible. */
async function setVisibleHeight(page: Page, height: number): Promise<void> {
  await page.evaluate((visibleHeight) => {
    Object.defineProperty(window.visualViewport, "height", { value: visibleHeight, configurable: true });
    window.visualViewport?.dispatchEvent(new Event("resize"));
  }, height);
}

async function topOf(part: Locator): Promise<number> {
  return (await part.boundingBox())?.y ?? Number.NaN;
}

async function bottomOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  return box === null ? Number.NaN : box.y + box.height;
}

test("a line without a name of its own shows the menu's name [TOUCH-1084]", async ({ open, restaurant }) => {
  const other = await restaurant.terminal("sin-nombre", { login: "manager" });
  await online(other);
  const nameless = lineOf("a", 180, { productId: "104" });
  const order = { ...newOrder("AWAY-NAMELESS", [nameless]), orderType: "takeout", tableId: null } as const;
  other.openOrder({ ...order, customerName: "De la página" });
  await other.idle();
  const page = await open({ name: "sin-nombre-telefono" });
  await page.goto(`${page.url().split("#")[0]}#/check/AWAY-NAMELESS`);
  await page.getByRole("button", { name: /1 línea/ }).tap();
  const line = page.getByRole("dialog").getByRole("button", { name: "Yaniqueques" });
  await line.tap();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Cambiar Yaniqueques" })).toBeVisible();
});

test("a check without a table is found by its guest, telephone or number [TOUCH-1086]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("barra-llena", { login: "manager" });
  await online(other);
  const guests = ["Carlos Núñez", "María", "Luis", "Ana", "Pedro"];
  for (const [index, customerName] of guests.entries()) {
    const order = { ...newOrder(`BARRA-${index}`, [lineOf("a", 300)]), orderType: "takeout", tableId: null } as const;
    other.openOrder({ ...order, customerName, pluginData: { contact: { phone: `809-555-010${index}` } } });
  }
  await other.idle();
  const page = await open({ name: "barra-llena-tableta", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/takeaway"));
  const listed = page.locator(".takeaway .table-tile .table-name");
  await expect(listed.filter({ hasText: "Pedro" })).toBeVisible();
  const search = page.getByRole("searchbox", { name: "Buscar cuenta" });
  await search.fill("0103");
  await expect(listed).toHaveText(["Ana"]);
  await search.fill("nadie");
  await expect(page.getByText("Ninguna cuenta coincide con lo buscado.")).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("button", { name: "Borrar", exact: true }).tap();
  await search.blur();
  await page.keyboard.type("nunez", { delay: 100 });
  await expect(listed).toHaveText(["Carlos Núñez"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/check\/BARRA-0$/);
});

test("a device that starts on the checks without a table styles them without having loaded the floor [TOUCH-443]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("sin-salon", { login: "manager" });
  await online(other);
  const order = { ...newOrder("SIN-SALON", [lineOf("a", 300)]), orderType: "takeout", tableId: null } as const;
  other.openOrder({ ...order, customerName: "Sin salón" });
  await other.idle();
  const page = await open({ name: "sin-salon-tableta", kind: "tablet", isNew: true, refusalsExpected: true });
  await page.route(/floor-place/, (route) => route.abort());
  await page.evaluate(() => (location.hash = "#/takeaway"));
  await signInByForm(page, "waiter");
  const facts = page.locator(".takeaway .table-tile").filter({ hasText: "Sin salón" }).locator(".table-facts");
  await expect(facts).toHaveCSS("text-overflow", "ellipsis");
});
