import type { Terminal } from "@comanda/terminal";
import type { BrowserContext, Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import { createOperator } from "../../screens/support/operator.ts";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { deviceLine, routeSockets } from "../support/device-line.ts";
import { setPin, typePin } from "../support/people-acts.ts";
import { expect, test } from "../support/touch-test.ts";

/** The record ids of the tables that these tests use. */
const TABLE = { one: 28, two: 29, three: 30 } as const;

let helper: Terminal | undefined;
let checks = 0;

/** Returns another terminal of the restaurant, which observes the hub's state. */
async function other(restaurant: Restaurant): Promise<Terminal> {
  if (helper === undefined) {
    helper = await restaurant.terminal("ayudante-en-uso");
    await online(helper);
  }
  return helper;
}

/** Opens a check with a Sancocho that has been sent to the kitchen. */
async function servedTable(restaurant: Restaurant, tableId: number): Promise<string> {
  const terminal = await other(restaurant);
  const { posReference, ...order } = newOrder(
    `USO-${(checks += 1)}`,
    [lineOf("sancocho", 520, { name: "Sancocho" })],
    tableId,
  );
  terminal.openOrder({ posReference, ...order });
  terminal.sendToKitchen(posReference);
  await terminal.idle();
  return posReference;
}

async function clearTables(restaurant: Restaurant): Promise<void> {
  const terminal = await other(restaurant);
  for (const { posReference, snapshot } of terminal.orders()) {
    if (snapshot.status === "paid" || snapshot.status === "closed") continue;
    await expect.poll(() => terminal.leaseHolder(posReference), { timeout: 45_000 }).toBe(null);
    terminal.discardOrder(posReference, "fin de la prueba");
  }
  await terminal.idle();
}

/** Opens the list of checks in use on the manager's screens. */
async function managersScreens(context: BrowserContext, restaurant: Restaurant): Promise<Page> {
  const { token, user } = await createOperator(restaurant);
  await context.addInitScript(
    (stored) => sessionStorage.setItem("comanda-session", stored),
    JSON.stringify({ token, user }),
  );
  const page = await context.newPage();
  await page.goto(`${restaurant.hubUrl}/#/terminals/leases`);
  return page;
}

const table = (page: Page, name: string, more = "") =>
  page.getByRole("link", { name: new RegExp(`^${name} .*${more}`) });
const dish = (page: Page, name: string) => page.locator(".tile").filter({ hasText: name });
const strip = (page: Page) => page.locator(".in-use").first();
const namesOf = (terminal: Terminal, posReference: string): string[] | undefined =>
  terminal.order(posReference)?.snapshot.lines.map((line) => String(line["name"]));

/** Runs in a page: touches a key again and again, so that the check stays in use however slow the machine is. */
function stayActive(): void {
  setInterval(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true })), 2_000);
}

test.afterEach(async ({ restaurant }) => clearTables(restaurant));
test.afterAll(() => (helper = undefined));

test("everyone sees who edits a check, and another person's additions wait and are then sent [TOUCH-300] [TOUCH-301]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.one);
  const terminal = await other(restaurant);
  const ana = await open({ name: "uso-ana", before: stayActive });
  const luis = await open({ name: "uso-luis", login: "cashier" });
  await table(ana, "Mesa 1").tap();
  await dish(ana, "Quipes de res").tap();
  await expect(table(luis, "Mesa 1", "En uso por Wendy Almonte")).toBeVisible();

  const screens = await managersScreens(await luis.context().browser()!.newContext({ locale: "es-DO" }), restaurant);
  const row = screens.getByRole("row", { name: new RegExp(posReference) });
  await expect(row).toContainText(/^Mesa 1 .*Wendy Almonte/);

  await table(luis, "Mesa 1").tap();
  await expect(strip(luis)).toContainText("En uso por Wendy Almonte");
  expect(await seriousIssues(luis)).toEqual([]);
  await dish(luis, "Croquetas de pollo").tap();
  await expect(dish(luis, "Croquetas de pollo").locator(".tile-count")).toContainText("1 sin enviar");
  await expect(strip(luis)).toContainText("Espera a Wendy Almonte");
  await luis.reload();
  await expect(strip(luis)).toContainText("Espera a Wendy Almonte");
  await luis.getByRole("button", { name: /^Enviar · / }).tap();
  await expect(luis.locator(".notices")).toContainText("artículos salen cuando Wendy Almonte termine con la cuenta.");
  await expect(table(luis, "Mesa 1", "Espera a Wendy Almonte")).toBeVisible();
  await luis.goto(new URL("#/conflicts", luis.url()).href);
  await expect(luis.getByText("Espera a Wendy Almonte · Mesa 1")).toBeVisible();
  expect(await seriousIssues(luis)).toEqual([]);
  await dish(ana, "Tostones con salsa de ajo").tap();
  await expect.poll(() => namesOf(terminal, posReference)?.length).toBe(3);
  expect(namesOf(terminal, posReference)).toEqual(["Sancocho", "Quipes de res", "Tostones con salsa de ajo"]);

  await ana.getByRole("button", { name: /^Enviar · / }).tap();
  await expect
    .poll(() => terminal.order(posReference)?.snapshot.lines.map((line) => [line["name"], line.sentQuantity]))
    .toEqual([
      ["Sancocho", 1],
      ["Quipes de res", 1],
      ["Tostones con salsa de ajo", 1],
      ["Croquetas de pollo", 1],
    ]);
  await expect(luis.getByText("Todo llegó a la PC principal.")).toBeVisible();
  await expect(row).toBeHidden();
  await screens.context().close();
});

test("a check is no longer in use once its page was left, hidden or untouched for 20 s [TOUCH-300]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.one);
  const terminal = await other(restaurant);
  const holder = () => terminal.leaseHolder(posReference)?.userName ?? null;
  const page = await open({ name: "uso-pausa", kind: "tablet" });
  await page.clock.install();
  await page.reload();
  const edit = async (): Promise<void> => {
    await dish(page, "Quipes de res").tap();
    await expect.poll(holder).toBe("Wendy Almonte");
  };
  await table(page, "Mesa 1").tap();
  await edit();
  await page.getByRole("link", { name: "Volver" }).tap();
  await expect.poll(holder).toBe(null);
  await table(page, "Mesa 1").tap();
  await edit();
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
  });
  await expect.poll(holder).toBe(null);
  await edit();
  await page.clock.runFor(15_000);
  await page.getByRole("tab", { name: "Bebidas" }).tap();
  await page.clock.runFor(15_000);
  expect(holder()).toBe("Wendy Almonte");
  await page.clock.runFor(5_000);
  await expect.poll(holder).toBe(null);
});

test("changes that wait for a device that has died are sent once its grace period ends [TOUCH-301]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.two);
  const terminal = await other(restaurant);
  const ana = await open({ name: "uso-muerto", refusalsExpected: true, before: stayActive });
  // A page that closes releases the check; a device whose battery dies does not.
  const line = await deviceLine(ana);
  const luis = await open({ name: "uso-espera", login: "cashier" });
  await table(ana, "Mesa 2").tap();
  await dish(ana, "Quipes de res").tap();
  await expect(table(luis, "Mesa 2", "En uso por Wendy Almonte")).toBeVisible();
  await table(luis, "Mesa 2").tap();
  await dish(luis, "Croquetas de pollo").tap();
  await expect(strip(luis)).toContainText("Lo suyo sale solo cuando termine.");
  await expect.poll(() => namesOf(terminal, posReference)).toEqual(["Sancocho", "Quipes de res"]);
  await line.cut();
  await expect(strip(luis)).toContainText("Perdió la conexión");
  await expect(strip(luis)).toBeHidden({ timeout: 30_000 });
  await expect.poll(() => namesOf(terminal, posReference)).toEqual(["Sancocho", "Quipes de res", "Croquetas de pollo"]);
});

test("a manager takes over a check in use with one tap, and others do so with a manager's PIN in place [TOUCH-302]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "manager", "123456");
  await setPin(restaurant, "waiter", "1111");
  const posReference = await servedTable(restaurant, TABLE.three);
  const terminal = await other(restaurant);
  const ana = await open({ name: "uso-pierde", kind: "tablet" });
  const boss = await open({ name: "uso-gerente", login: "manager", kind: "pc" });
  const luis = await open({ name: "uso-permiso", login: "cashier", managerWasHere: true });
  await table(ana, "Mesa 3").tap();
  await dish(ana, "Quipes de res").tap();
  await table(boss, "Mesa 3").tap();
  await dish(boss, "Croquetas de pollo").tap();
  await expect(strip(boss)).toContainText("Espera a Wendy Almonte");
  await boss.getByRole("button", { name: "Tomarla" }).tap();
  await expect(boss.locator(".notices")).toContainText("La cuenta es suya.");
  await expect(strip(boss)).toBeHidden();
  await expect(ana.locator(".notices")).toContainText("Marisol Peña tomó esta cuenta.");
  await expect(strip(ana)).toContainText("En uso por Marisol Peña");
  await expect.poll(() => namesOf(terminal, posReference)).toContain("Croquetas de pollo");

  await table(luis, "Mesa 3").tap();
  await dish(luis, "Tostones con salsa de ajo").tap();
  await luis.getByRole("button", { name: "Tomarla" }).tap();
  const pad = luis.getByRole("dialog");
  await expect(pad).toContainText("Tomar la cuenta de Marisol Peña");
  await expect(pad.getByRole("button", { name: /Almonte|Jiménez/ })).toHaveCount(0);
  await typePin(luis, "123456");
  await expect(luis.locator(".notices")).toContainText("La cuenta es suya.");
  await expect.poll(() => terminal.leaseHolder(posReference)?.userName).toBe("Carlos Jiménez");
  await expect.poll(() => namesOf(terminal, posReference)).toContain("Tostones con salsa de ajo");
  await expect(strip(boss)).toContainText("En uso por Carlos Jiménez");
});

test("a check warns that others may be changing it when the hub is away or does not answer [TOUCH-303]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.one);
  const page = await open({ name: "uso-sin-linea", refusalsExpected: true });
  const line = await deviceLine(page);
  await table(page, "Mesa 1").tap();
  await expect(dish(page, "Quipes de res")).toBeVisible();
  await line.cut();
  await dish(page, "Quipes de res").tap();
  await expect(strip(page)).toContainText("Nadie más ve lo suyo.");
  expect((await other(restaurant)).leaseHolder(posReference)).toBe(null);
  await line.restore();
  await expect(strip(page)).toBeHidden();

  const silent = await open({ name: "uso-sin-respuesta", kind: "pc" });
  await routeSockets(silent, (socket) => {
    const hub = socket.connectToServer();
    hub.onMessage((message) => {
      if (!String(message).includes("LEASE_GRANTED")) socket.send(message);
    });
  });
  await silent.reload();
  await table(silent, "Mesa 2").tap();
  await dish(silent, "Quipes de res").tap();
  await expect(strip(silent)).toContainText("Puede que otra persona esté cambiando esta cuenta.", { timeout: 30_000 });
});

test("a check in use cannot be paid, and its payment screen names who uses it [TOUCH-304]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.one);
  const ana = await open({ name: "uso-edita", before: stayActive });
  const till = await open({ name: "uso-caja", login: "cashier", kind: "tablet" });
  await till.goto(new URL(`#/pay/${posReference}`, till.url()).href);
  await expect(till.getByRole("button", { name: "Exacto" })).toBeEnabled();
  await table(ana, "Mesa 1").tap();
  await dish(ana, "Quipes de res").tap();
  await expect(strip(till)).toContainText("En uso por Wendy AlmonteSe podrá cobrar cuando termine.");
  await expect(till.getByRole("button", { name: "Exacto" })).toBeDisabled();
  expect(await seriousIssues(till)).toEqual([]);
  await ana.getByRole("button", { name: /^Enviar · / }).tap();
  await expect(till.getByRole("button", { name: "Exacto" })).toBeEnabled();
});

test("an amount sheet opened before its check was in use takes no payment [TOUCH-304]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.two);
  const ana = await open({ name: "uso-edita-antes", before: stayActive });
  const till = await open({ name: "uso-cobra-tarde", login: "cashier", kind: "tablet" });
  await till.goto(new URL(`#/pay/${posReference}`, till.url()).href);
  await till.getByRole("button", { name: "Otro monto" }).tap();
  const sheet = till.getByRole("dialog");
  await sheet.getByRole("button", { name: "1", exact: true }).tap();
  await table(ana, "Mesa 2").tap();
  await dish(ana, "Quipes de res").tap();
  await expect(strip(till)).toContainText("En uso por Wendy Almonte");
  await sheet.getByRole("button", { name: "Tarjeta" }).tap();
  await expect(sheet).toHaveCount(0);
  await expect(till.getByRole("button", { name: "Devolver" })).toHaveCount(0);
  await expect(strip(till)).toBeVisible();
  await ana.getByRole("button", { name: /^Enviar · / }).tap();
  await expect(till.getByRole("button", { name: "Exacto" })).toBeEnabled();
});

test("tables selected for joining or as a move's target are locked, and others see for whom [TOUCH-305]", async ({
  open,
  restaurant,
}) => {
  const posReference = await servedTable(restaurant, TABLE.one);
  const terminal = await other(restaurant);
  const ana = await open({ name: "uso-junta", kind: "tablet" });
  const luis = await open({ name: "uso-mira", login: "cashier", kind: "pc" });
  await table(ana, "Mesa 1").tap();
  await ana.getByRole("button", { name: "Acciones de la cuenta" }).tap();
  await ana.getByRole("dialog").getByRole("button", { name: "Juntar mesas" }).tap();
  await ana
    .getByRole("dialog")
    .getByRole("button", { name: /^Mesa 2/ })
    .tap();
  await expect(table(luis, "Mesa 2", "La tiene Wendy Almonte")).toBeVisible();
  await expect(table(luis, "Mesa 1", "En uso por Wendy Almonte")).toBeVisible();
  await ana
    .getByRole("dialog")
    .getByRole("button", { name: /^Mesa 3/ })
    .tap();
  await expect(table(luis, "Mesa 3", "La tiene Wendy Almonte")).toBeVisible();
  await expect(table(luis, "Mesa 2", "La tiene Wendy Almonte")).toBeVisible();
  await ana.getByRole("dialog").getByRole("button", { name: "Cerrar" }).tap();
  await expect(table(luis, "Mesa 2", "La tiene")).toBeHidden();
  await expect(table(luis, "Mesa 3", "La tiene")).toBeHidden();

  // A move that has to wait keeps its table reserved in the meantime.
  await terminal.acquireLease(posReference);
  await ana.getByRole("button", { name: "Acciones de la cuenta" }).tap();
  await ana.getByRole("dialog").getByRole("button", { name: "Cambiar de mesa" }).tap();
  await ana
    .getByRole("dialog")
    .getByRole("button", { name: /^Mesa 3/ })
    .tap();
  await expect(ana.locator(".notices")).toContainText("espera a Marisol Peña");
  await expect(table(luis, "Mesa 3", "La tiene Wendy Almonte")).toBeVisible();
  await terminal.releaseLease(posReference);
  await expect.poll(() => terminal.order(posReference)?.tableId).toBe(TABLE.three);
  await expect(table(luis, "Mesa 3", "La tiene")).toBeHidden();
});
