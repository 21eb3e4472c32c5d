import type { NewOrder } from "@comanda/terminal";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

/** Returns a takeaway check with one dish. */
function takeaway(posReference: string, name: string, total: number): NewOrder {
  const line = { id: "uno", productId: "101", name, quantity: 1, unitPrice: total, total, taxIds: [] };
  return {
    posReference,
    orderType: "takeout",
    tableId: null,
    lines: [line],
    totals: { subtotal: total, tax: 0, total },
  };
}

test("a large check asks for the buyer, and the fiscal sheet shows how many numbers are left [TOUCH-94] [TOUCH-95] [FISC-372]", async ({
  open,
  restaurant,
}) => {
  await restaurant.stub("/stub/v1/ncf", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ type: "B02", remaining: 12 }),
  });
  const till = await restaurant.terminal("caja-grande");
  await online(till);
  const posReference = `grande-${crypto.randomUUID().slice(0, 8)}`;
  const total = 250_000;
  till.openOrder(takeaway(posReference, "Banquete", total));
  await till.idle();

  const page = await open({ name: "caja-94", login: "cashier", kind: "phone" });
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await page.evaluate((hash) => (location.hash = hash), `#/pay/${posReference}`);
  await page.getByRole("button", { name: /^Consumidor final · E32/ }).tap();
  await page.getByRole("button", { name: "Consumidor final B02" }).tap();
  const sheet = page.getByRole("dialog");
  await expect(sheet).toContainText("Quedan 12 comprobantes de este tipo. Avise al gerente.");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
  await expect(page.locator(".fiscal-left")).toContainText("Quedan 12 comprobantes");

  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(sheet).toContainText(
    "Desde RD$250,000 el comprobante lleva el RNC o la cédula y el nombre del cliente.",
  );
  for (const digit of "00114272361") await sheet.getByRole("button", { name: digit, exact: true }).tap();
  await expect(sheet).toContainText("Falta el nombre del cliente.");
  await sheet.getByLabel("Nombre o razón social").fill("Ana Lucía Méndez");
  await expect(sheet).toContainText("Revise el número: su último dígito no corresponde a los demás.");
  await sheet.getByRole("button", { name: "Listo" }).tap();
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect
    .poll(() => till.order(posReference)?.snapshot)
    .toMatchObject({ ncf: expect.stringMatching(/^B02/), fiscal: { rnc: "00114272361", name: "Ana Lucía Méndez" } });
});

test("a typed RNC fills in its customer's name, and another RNC clears a name that nobody typed [TOUCH-435]", async ({
  open,
  restaurant,
}) => {
  const till = await restaurant.terminal("caja-rnc", { login: "cashier" });
  await online(till);
  till.openOrder(takeaway("rnc-1", "Tostones", 225));
  await till.idle();

  const page = await open({ name: "caja-435", login: "cashier", kind: "phone" });
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await page.evaluate(() => (location.hash = "#/pay/rnc-1"));
  await page.getByRole("button", { name: /^Consumidor final · E32/ }).tap();
  const sheet = page.getByRole("dialog");
  const type = async (digits: string) => {
    for (const digit of digits) await sheet.getByRole("button", { name: digit, exact: true }).tap();
  };
  const name = sheet.getByLabel("Nombre o razón social");
  await sheet.getByRole("button", { name: "Escribir", exact: true }).tap();
  await type("131246789");
  await expect(name).toHaveValue("Constructora del Este SRL");
  // A name from the registry still counts as such when the sheet is opened again.
  await sheet.getByRole("button", { name: "Listo" }).tap();
  await page.getByRole("button", { name: /Constructora del Este SRL$/ }).tap();
  await sheet.getByRole("button", { name: "Escribir", exact: true }).tap();
  await page.keyboard.press("Backspace");
  await type("0");
  await expect(name).toHaveValue("");
  await name.fill("Ferretería La Fe");
  await name.blur();
  await page.keyboard.press("Backspace");
  await type("9");
  await expect(name).toHaveValue("Ferretería La Fe");

  // A name that came with the check is cleared as well if the number changes.
  till.openOrder(takeaway("rnc-2", "Tostones", 225));
  const fiscal = { type: "E31", rnc: "131246789", name: "Constructora del Este SRL" };
  till.tender("rnc-2", { methodId: 1, amount: 100, fiscal });
  await till.idle();
  await page.evaluate(() => (location.hash = "#/pay/rnc-2"));
  await page.getByRole("button", { name: /^Crédito fiscal · E31/ }).tap();
  await expect(name).toHaveValue("Constructora del Este SRL");
  await sheet.getByRole("button", { name: "Escribir", exact: true }).tap();
  await page.keyboard.press("Backspace");
  await type("0");
  await expect(name).toHaveValue("");
});

test("a reload in the middle of a payment keeps the buyer and the parts, and another device offers the buyer [TOUCH-531]", async ({
  open,
  restaurant,
}) => {
  const till = await restaurant.terminal("caja-recargada");
  await online(till);
  till.openOrder(takeaway("recargada-1", "Banquete", 900));
  await till.idle();

  const page = await open({ name: "caja-531", login: "cashier", kind: "tablet" });
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await page.evaluate(() => (location.hash = "#/pay/recargada-1"));
  await page.getByRole("button", { name: /^Consumidor final · E32/ }).tap();
  await page.getByRole("button", { name: /^Constructora del Este/ }).tap();
  await page.getByRole("button", { name: "÷3" }).tap();
  await page.getByRole("button", { name: "Efectivo", exact: true }).tap();
  await expect(page.getByText("Parte 2 de 3")).toBeVisible();

  await page.reload();
  await expect(page.getByRole("button", { name: /^Crédito fiscal · E31/ })).toContainText("Constructora del Este");
  await expect(page.getByText("Parte 2 de 3")).toBeVisible();
  await page.getByRole("button", { name: /^Tarjeta/ }).tap();
  await expect(page.getByText("Parte 3 de 3")).toBeVisible();

  const other = await open({ name: "caja-531-b", login: "cashier", kind: "phone" });
  await expect(other.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await other.evaluate(() => (location.hash = "#/pay/recargada-1"));
  await expect(other.getByRole("button", { name: /^Crédito fiscal · E31/ })).toContainText("Constructora del Este");
  await other.getByRole("button", { name: "Efectivo", exact: true }).tap();
  await expect
    .poll(() => till.order("recargada-1")?.snapshot)
    .toMatchObject({
      ncf: expect.stringMatching(/^E31/),
      fiscal: { rnc: "131246789" },
    });
  // A device keeps no data of a buyer once the hub has the payment.
  for (const device of [page, other]) {
    await expect
      .poll(() => device.evaluate(() => localStorage.getItem("comanda-terminal-payments")))
      .not.toContain("Constructora");
  }
});

test("a buyer named by another device can be removed from the fiscal number [TOUCH-531]", async ({
  open,
  restaurant,
}) => {
  const till = await restaurant.terminal("caja-nombra", { login: "cashier" });
  await online(till);
  till.openOrder(takeaway("nombrada-1", "Banquete", 900));
  till.tender("nombrada-1", { methodId: 1, amount: 400, fiscal: { type: "E32", name: "Ana Lucía" } });
  await till.idle();

  const page = await open({ name: "caja-quita", login: "cashier", kind: "phone" });
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await page.evaluate(() => (location.hash = "#/pay/nombrada-1"));
  const number = page.getByRole("button", { name: /^Consumidor final · E32/ });
  await expect(number).toContainText("Ana Lucía");
  await number.tap();
  await page.getByRole("dialog").getByRole("button", { name: "Quitar el cliente" }).tap();
  await page.keyboard.press("Escape");
  await expect(number).not.toContainText("Ana Lucía");
});

test("a device forgets a chosen buyer once another device has taken the payment [TOUCH-531]", async ({
  open,
  restaurant,
}) => {
  const till = await restaurant.terminal("caja-otra", { login: "cashier" });
  await online(till);
  till.openOrder(takeaway("ajena-1", "Banquete", 900));
  await till.idle();
  const page = await open({ name: "caja-elige", login: "cashier", kind: "phone" });
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  await page.evaluate(() => (location.hash = "#/pay/ajena-1"));
  await page.getByRole("button", { name: /^Consumidor final · E32/ }).tap();
  await page.getByRole("button", { name: /^Constructora del Este/ }).tap();
  const storedPayments = () => page.evaluate(() => localStorage.getItem("comanda-terminal-payments"));
  expect(await storedPayments()).toContain("Constructora");
  await page.evaluate(() => (location.hash = "#/floor"));
  await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
  till.tender("ajena-1", { methodId: 1, amount: 900, fiscal: { type: "E32" } });
  await till.idle();
  await expect.poll(storedPayments).not.toContain("Constructora");
});
