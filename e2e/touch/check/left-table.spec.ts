import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { expect, test } from "../support/touch-test.ts";

/** The record id of Mesa 4. */
const TABLE = 31;
/** The record ids of Mesa 5 and Mesa 6. */
const [TABLE_FIVE, TABLE_SIX] = [32, 33];

test("a waiter whose check was moved by another can add dishes only after choosing a check again [TOUCH-439]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("gerente-dos-cuentas");
  await online(manager);
  const add = (name: string, lineId: string) =>
    manager.openOrder(
      { ...newOrder(name, [lineOf(lineId, 520, { name: "Sancocho" })], TABLE), customerName: name },
      { additionalCheck: true },
    ).outcome;
  await add("Primera", "a");
  await add("Segunda", "b");
  const linesOf = (name: string) =>
    manager
      .orders()
      .filter(({ snapshot }) => snapshot.customerName === name)
      .map(({ snapshot }) => snapshot.lines.length);

  const ana = await open({ name: "dos-cuentas-ana", kind: "tablet" });
  const luis = await open({ name: "dos-cuentas-luis", kind: "tablet" });
  for (const page of [ana, luis]) await page.evaluate((id) => (location.hash = `#/table/${id}`), TABLE);
  for (const page of [ana, luis]) {
    await expect(page.getByRole("tab", { name: /^1 Primera / })).toHaveAttribute("aria-selected", "true");
  }
  await luis.getByRole("button", { name: "Acciones de la cuenta" }).tap();
  await luis.getByRole("dialog").getByRole("button", { name: "Cambiar de mesa" }).tap();
  await luis
    .getByRole("dialog")
    .getByRole("button", { name: /^Terraza 5/ })
    .tap();

  await expect(ana.getByText(/^La cuenta que veía ya no está en esta mesa/)).toBeVisible();
  await expect(ana.locator(".tile")).toHaveCount(0);
  await expect(ana.getByRole("link", { name: /^Terraza 5 · 1 Primera / })).toBeVisible();
  await ana.getByRole("button", { name: /^2 Segunda / }).tap();
  await expect(ana.locator(".tile").first()).toBeVisible();
  expect([linesOf("Primera"), linesOf("Segunda")]).toEqual([[1], [1]]);

  // The check is paid elsewhere and the table has no other one: the next dish begins a new check.
  const [second] = manager.orders().filter(({ snapshot }) => snapshot.customerName === "Segunda");
  if (second === undefined) throw new Error("the check is gone");
  const { posReference, snapshot } = second;
  manager.pay(posReference, { payments: [{ methodId: 1, amount: snapshot.totals.total }] });
  await expect(ana.getByText(/^Esta cuenta está pagada\. La cobró /)).toBeVisible();
});

test("a table whose only check was moved or discarded by another person says who did it [TOUCH-439]", async ({
  open,
  restaurant,
}) => {
  const luis = await restaurant.terminal("gerente-quita");
  await online(luis);
  const lay = (name: string) =>
    luis.openOrder(newOrder(name, [lineOf(`${name}-a`, 520, { name: "Sancocho" })], TABLE_FIVE)).outcome;
  const ana = await open({ name: "unica-ana", kind: "tablet" });
  await lay("Unica");
  luis.setPresence({ tableId: TABLE_FIVE });
  await ana.evaluate((id) => (location.hash = `#/table/${id}`), TABLE_FIVE);
  await expect(ana.getByText("Sancocho", { exact: true }).first()).toBeVisible();
  await luis.editOrder("Unica", (content) => ({ ...content, tableId: TABLE })).outcome;
  await expect(ana.getByText(/^(?!Otra persona).+ movió esta cuenta a Mesa 4\.$/)).toBeVisible();
  await luis.discardOrder("Unica", "fin de la prueba").outcome;

  await lay("Otra");
  await ana.evaluate((id) => (location.hash = `#/table/${id}`), TABLE);
  await ana.evaluate((id) => (location.hash = `#/table/${id}`), TABLE_FIVE);
  await expect(ana.getByText("Sancocho", { exact: true }).first()).toBeVisible();
  await luis.discardOrder("Otra", "se fueron").outcome;
  await expect(ana.getByText(/^(?!Otra persona).+ anuló esta cuenta\.$/)).toBeVisible();
});

test("a dish that is removed while another person sends it stays, and the device says why [TOUCH-440]", async ({
  open,
  restaurant,
}) => {
  const luis = await restaurant.terminal("gerente-envia");
  await online(luis);
  const lines = [lineOf("cafe-a", 100, { name: "Café" }), lineOf("mofongo-a", 520, { name: "Mofongo" })];
  await luis.openOrder(newOrder("Enviada", lines, TABLE_SIX)).outcome;
  const ana = await open({ name: "quita-ana", kind: "tablet", login: "waiter", refusalsExpected: true });
  await ana.evaluate((id) => (location.hash = `#/table/${id}`), TABLE_SIX);
  const line = await deviceLine(ana);
  await ana.getByRole("button", { name: /Mofongo.*520/ }).tap();
  await line.cut();
  await luis.sendToKitchen("Enviada").outcome;
  await ana.getByRole("button", { name: "Quitar", exact: true }).tap();
  await expect(ana.getByText("Quitado: 1 Mofongo")).toBeVisible();
  await line.restore();
  await expect(ana.getByText(/^No se hizo: Quitar: 1 Mofongo\. La cocina ya tiene eso\./)).toBeVisible();
  await expect(ana.getByRole("dialog")).toHaveCount(0);
  expect(luis.order("Enviada")?.snapshot.lines).toHaveLength(2);
});
