import { isActive } from "@comanda/protocol";
import { addLine, contentOf, discountCheck, type Terminal } from "@comanda/terminal";
import type { Page } from "@playwright/test";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { lineOf, newOrder } from "../../support/orders.ts";
import { deviceLine, seedOutbox } from "../support/device-line.ts";
import { enterPin, setPin } from "../support/people-acts.ts";
import { expect, hasAllScreens, test } from "../support/touch-test.ts";

const terrace1 = 61;
const terrace2 = 62;
const terrace3 = 63;
const terrace4 = 64;
const terrace5 = 65;
const terrace6 = 66;
const terrace7 = 67;
const terrace8 = 68;

/** Returns the hub's state of a check in the form that an intent contains. */
function seenState(terminal: Terminal, posReference: string) {
  const order = terminal.order(posReference);
  if (order === undefined) throw new Error(`the hub has no ${posReference}`);
  return { posReference, seen: contentOf(order.snapshot), seenVersion: order.version };
}

async function openConflicts(page: Page): Promise<void> {
  await page.getByRole("link", { name: /por decidir/ }).tap();
  await expect(page.getByRole("heading", { name: "Por enviar y conexión" })).toBeVisible();
}

test("a conflict that needs approval is settled in place with a second person's PIN [TOUCH-140]", async ({
  open,
  restaurant,
}) => {
  await setPin(restaurant, "manager", "123456");
  await setPin(restaurant, "clerk", "999999");
  const manager = await restaurant.terminal("conflict-observer");
  manager.start();
  const order = manager.openOrder(newOrder("CONFLICT/1", [lineOf("a", 450, { name: "Mofongo" })], terrace6));
  await order.outcome;
  await manager.sendToKitchen("CONFLICT/1").outcome;
  await expect.poll(() => manager.tickets().length).toBeGreaterThan(0);

  const page = await open({ name: "conflict-approval", refusalsExpected: true, managerWasHere: true });
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await seedOutbox(page, "conflict-approval", [
    { type: "ORDER_DISCARD", ...seenState(manager, "CONFLICT/1"), reason: "Se fue" },
  ]);
  await openConflicts(page);
  await expect(page.getByText("Cuenta anulada · Terraza 6")).toBeVisible();
  await expect(page.getByText("Esto necesita el permiso de un cajero o un gerente.")).toBeVisible();
  await page.getByRole("button", { name: "Autorizar" }).tap();
  const sheet = page.getByRole("dialog", { name: "Autorizar" });
  await expect(sheet.getByText("Cuenta anulada · Terraza 6")).toBeVisible();

  await enterPin(page, /^Marisol Peña/, "0000");
  await expect(sheet.getByText("Esa no es la clave de Marisol Peña. Intente de nuevo.")).toBeVisible();
  for (let miss = 0; miss < 5; miss += 1) {
    await enterPin(page, /^Clara Rosario/, "0000");
    await expect(sheet.getByText("Esa no es la clave de Clara Rosario.")).toBeVisible();
  }
  await enterPin(page, /^Clara Rosario/, "999999");
  await expect(sheet.getByText(/^Demasiados intentos: Clara Rosario entra con usuario y contraseña/)).toBeVisible();
  expect(await seriousIssues(page)).toEqual([]);

  // The digits can also be typed on a keyboard.
  await page.getByRole("button", { name: /^Marisol Peña/ }).tap();
  await page.keyboard.type("123456");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  await expect.poll(() => manager.order("CONFLICT/1")).toBeUndefined();
});

test("a change that met a bill that is out is made with one tap that reopens the check [TOUCH-1540]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("conflict-cashier", { login: "cashier" });
  other.start();
  await other.openOrder(newOrder("CONFLICT/OUT", [lineOf("a", 300, { name: "Tostones" })], 37)).outcome;
  const { seen } = seenState(other, "CONFLICT/OUT");
  await other.checkOut("CONFLICT/OUT").outcome;
  const page = await open({ name: "conflict-bill", refusalsExpected: true });
  await expect(page.getByRole("button", { name: "Trabaja Wendy Almonte" })).toBeVisible();
  await seedOutbox(page, "conflict-bill", [
    { type: "ORDER_UPSERT", posReference: "CONFLICT/OUT", base: seen, next: { ...seen, staffName: "Ana" } },
  ]);
  await openConflicts(page);
  await expect(page.getByText("La pre-cuenta de Mesa 10 ya salió")).toContainText("hay que imprimir otra pre-cuenta");
  await page.getByRole("button", { name: "Reabrir y hacer mi cambio" }).tap();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  await expect.poll(() => other.order("CONFLICT/OUT")?.snapshot).toMatchObject({ staffName: "Ana", status: "open" });
});

test("a conflict with a change made before the hub was killed gives the restart as the reason [TOUCH-291]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("conflict-of-rosa", { login: "cashier" });
  other.start();
  await other.openOrder(newOrder("CONFLICT/9", [lineOf("a", 300, { name: "Tostones" })], terrace7)).outcome;
  const page = await open({ name: "conflict-fork", kind: "tablet", refusalsExpected: true });
  const line = await deviceLine(page);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 7 / }).tap();
  await expect(page.getByText("Tostones", { exact: true })).toBeVisible();
  await line.cut();
  await page.getByRole("button", { name: /^\d Tostones/ }).tap();
  await page.getByRole("button", { name: "Uno más de Tostones" }).tap();
  await other.editOrder("CONFLICT/9", (content) => {
    for (const each of content.lines ?? []) each.note = "sin sal";
  }).outcome;
  await restaurant.killHub();
  await restaurant.startHub();
  await line.restore();

  await openConflicts(page);
  await expect(
    page.getByText(/^La PC principal se reinició por un corte o volvió a una copia de seguridad/),
  ).toBeVisible();
  await expect(page.getByText("Otra persona cambió lo mismo al mismo tiempo.")).toBeHidden();
  await page.getByRole("button", { name: "Dejar lo mío" }).tap();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
});

test("a conflict shows both sides in a guest's words, and one tap settles it [TOUCH-145]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("conflict-of-carlos", { login: "cashier" });
  other.start();
  await other.openOrder(newOrder("CONFLICT/2", [lineOf("a", 300, { name: "Tostones" })], terrace5)).outcome;

  const page = await open({ name: "conflict-conflict", kind: "tablet" });
  const line = await deviceLine(page);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 5 / }).tap();
  await expect(page.getByText("Tostones", { exact: true })).toBeVisible();
  await line.cut();
  await page.getByRole("button", { name: /^\d Tostones/ }).tap();
  await page.getByRole("button", { name: "Uno más de Tostones" }).tap();
  await other.editOrder("CONFLICT/2", (content) => {
    for (const each of content.lines ?? []) each.note = "sin sal";
  }).outcome;
  await line.restore();

  await openConflicts(page);
  await expect(page.getByText("Otra persona cambió lo mismo al mismo tiempo.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Lo mío" })).toContainText("2 × Tostones");
  await expect(page.getByRole("region", { name: "Lo que hay ahora" })).toContainText("1 × Tostones · sin sal");
  expect(await seriousIssues(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await seriousIssues(page)).toEqual([]);
  await page.getByRole("button", { name: "Dejar lo mío" }).tap();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  await expect.poll(() => other.order("CONFLICT/2")?.snapshot.lines[0]?.quantity).toBe(2);
});

test("a payment whose check has changed is applied in one step, and the amount left to collect is shown [TOUCH-146]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("payment-of-carlos", { login: "cashier" });
  other.start();
  const model = { orderType: "takeout", tableId: null, guestCount: 1, customerName: "Ana" } as const;
  await other.openOrder({ posReference: "CONFLICT/3", ...addLine(model, lineOf("a", 400, { name: "Quipes" })) })
    .outcome;
  await expect.poll(() => other.order("CONFLICT/3")?.version).toBe(1);
  const paid = { ...seenState(other, "CONFLICT/3"), paymentId: crypto.randomUUID() };
  await other.editOrder("CONFLICT/3", (content) => addLine(content, lineOf("b", 150, { name: "Morir soñando" })))
    .outcome;

  const page = await open({ name: "conflict-payment", login: "cashier" });
  await expect(page.getByRole("button", { name: "Trabaja Carlos Jiménez" })).toBeVisible();
  await seedOutbox(page, "conflict-payment", [
    { type: "ORDER_PAY", ...paid, payments: [{ methodId: 1, amount: 400 }] },
  ]);
  await openConflicts(page);
  await expect(page.getByText("Cobro de RD$400.00 · Ana")).toBeVisible();
  await expect(page.getByRole("region", { name: "Lo que hay ahora" })).toContainText("Falta RD$550.00");
  await page.getByRole("button", { name: "Aplicar el cobro a la cuenta de ahora" }).tap();
  await expect(page.getByText("Falta cobrar RD$150.00 en Ana.")).toBeVisible();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  await expect.poll(() => other.order("CONFLICT/3")?.snapshot.tenders?.map(({ amount }) => amount)).toEqual([400]);
});

test("one tap applies a payment to the check into which its own was merged [TOUCH-495]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("merging-carlos", { login: "cashier" });
  other.start();
  await other.openOrder(newOrder("CONFLICT/5", [lineOf("q", 400, { name: "Quipes" })], terrace2)).outcome;
  await other.sendToKitchen("CONFLICT/5").outcome;
  await other.openOrder(newOrder("CONFLICT/6", [lineOf("m", 150, { name: "Morir soñando" })], terrace3)).outcome;

  const page = await open({ name: "conflict-merged", login: "cashier" });
  const line = await deviceLine(page);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 2 / }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await hasAllScreens(page);
  await line.cut();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: "RD$400.00 por registrar" })).toBeVisible();
  await other.mergeOrders(["CONFLICT/5"], "CONFLICT/6").outcome;
  await line.restore();

  await openConflicts(page);
  await expect(page.getByText("Cobro de RD$400.00 · Terraza 2")).toBeVisible();
  await expect(page.getByText("Lo que se cobró pasó a Terraza 3.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Lo que hay ahora" })).toContainText("Falta RD$550.00");
  await page.getByRole("button", { name: "Pasar el cobro a Terraza 3" }).tap();
  await expect(page.getByText("Falta cobrar RD$150.00 en Terraza 3.")).toBeVisible();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  await expect.poll(() => other.order("CONFLICT/6")?.snapshot.tenders?.map(({ amount }) => amount)).toEqual([400]);
});

test("an overpayment caused by moving a dish to another check names that check [TOUCH-146]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("parting-carlos", { login: "cashier" });
  other.start();
  const dishes = [lineOf("kipe", 400, { name: "Quipes" }), lineOf("jugo", 150, { name: "Morir soñando" })];
  await other.openOrder(newOrder("CONFLICT/10", dishes, terrace4)).outcome;
  await other.sendToKitchen("CONFLICT/10").outcome;
  const takeaway = { orderType: "takeout", tableId: null, guestCount: 1, customerName: "Berta" } as const;
  await other.openOrder({ posReference: "CONFLICT/11", ...addLine(takeaway, lineOf("c", 50, { name: "Café" })) })
    .outcome;

  const page = await open({ name: "conflict-parted", login: "cashier" });
  const line = await deviceLine(page);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 4 / }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await hasAllScreens(page);
  await line.cut();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: "RD$550.00 por registrar" })).toBeVisible();
  await other.moveLines("CONFLICT/10", "CONFLICT/11", [{ lineId: "jugo" }]).outcome;
  await line.restore();

  await openConflicts(page);
  const apply = page.getByRole("button", { name: "Aplicar el cobro a la cuenta de ahora" });
  const giveBack = page.getByText(/^Devuelva/);
  await line.cut();
  await apply.tap();
  await expect(giveBack).toContainText("RD$150.00");
  // The check changes again before the payment arrives, so the payment needs another decision.
  await other.editOrder("CONFLICT/10", (content) => discountCheck(content, { amount: 100 }, "Queja")).outcome;
  await line.restore();
  await apply.tap();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  await expect(giveBack).toHaveCount(1);
  await page.reload();
  await expect(
    page.getByText("Devuelva RD$250.00 al cliente de Terraza 4, o cóbrelos en Berta: allá pasó parte de lo que pagó."),
  ).toBeVisible();
  await page.getByRole("link", { name: "Abrir la cuenta" }).tap();
  await expect(page.getByRole("heading", { name: "Berta" })).toBeVisible();
});

test("a payment that is applied to the check of its moved dishes sends them to the kitchen [TOUCH-516]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("cooking-carlos", { login: "cashier" });
  other.start();
  await other.openOrder(newOrder("CONFLICT/7", [lineOf("r", 400, { name: "Quipes" })], terrace1)).outcome;
  await other.openOrder(newOrder("CONFLICT/8", [lineOf("n", 150, { name: "Morir soñando" })], terrace8)).outcome;

  const page = await open({ name: "conflict-cooked", login: "cashier", kind: "tablet" });
  const line = await deviceLine(page);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 1 / }).tap();
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await hasAllScreens(page);
  await line.cut();
  await expect(page.getByText("Al cobrar se envía 1 artículo")).toBeVisible();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: "RD$400.00 por registrar" })).toBeVisible();
  await other.mergeOrders(["CONFLICT/7"], "CONFLICT/8").outcome;
  await line.restore();

  await openConflicts(page);
  await page.getByRole("button", { name: "Pasar el cobro a Terraza 8" }).tap();
  await expect(page.getByText("Falta cobrar RD$150.00 en Terraza 8.")).toBeVisible();
  await expect
    .poll(() =>
      other
        .tickets()
        .filter(({ posReference }) => posReference === "CONFLICT/8")
        .flatMap(({ lines }) => lines),
    )
    .toMatchObject([{ name: "Quipes", quantity: 1 }]);
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
});

test("a check opened offline on an occupied table can be merged with the check that is there [TOUCH-147]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("second-of-carlos", { login: "cashier" });
  other.start();
  const page = await open({ name: "conflict-second", kind: "pc" });
  const line = await deviceLine(page);
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 4 / }).tap();
  await line.cut();
  await page.getByRole("button", { name: /^Quipes de res/ }).tap();
  const first = newOrder("CONFLICT/4", [lineOf("a", 300, { name: "Tostones" })], 64);
  await other.openOrder({ ...first, staffName: "Carlos Jiménez" }).outcome;
  await line.restore();
  await openConflicts(page);
  await expect(page.getByText("Terraza 4 ya tenía una cuenta, de Carlos Jiménez.")).toBeVisible();
  await page.getByRole("button", { name: "Juntar las dos cuentas" }).tap();
  await expect(page.getByText("No hay nada que decidir.")).toBeVisible();
  const openThere = () =>
    other.orders().filter(({ tableId, snapshot }) => tableId === terrace4 && isActive(snapshot.status));
  await expect.poll(() => openThere().length).toBe(1);
  await expect.poll(() => other.order("CONFLICT/4")?.snapshot.lines.length).toBe(2);
});
