import type { Page } from "@playwright/test";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const order = async (page: Page, category: string, dish: string): Promise<void> => {
  await page.getByRole("tab", { name: category, exact: true }).tap();
  await page.locator(".tile").filter({ hasText: dish }).first().tap();
};

test("the lines of a check add up to its subtotal, and the bar names the check shown where a table has several [TOUCH-430] [TOUCH-431]", async ({
  open,
}) => {
  const page = await open({ name: "montos", login: "cashier" });
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await order(page, "Platos fuertes", "Sancocho");
  await order(page, "Bebidas", "Refresco");
  const bar = page.locator(".order-total");
  await expect(bar).toHaveText("RD$780.802 líneas");
  await bar.tap();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByRole("button", { name: /^1 Sancocho/ })).toContainText("RD$520.00");
  await expect(sheet.getByRole("button", { name: /^1 Refresco/ })).toContainText("RD$90.00");
  await expect(sheet.locator(".check-sums")).toContainText("SubtotalRD$610.00");
  await sheet.getByRole("button", { name: /^1 Sancocho/ }).tap();
  await expect(sheet.locator(".acts-what")).toContainText("1 línea · RD$665.60 con impuestos");

  await sheet.getByRole("button", { name: /^Enviar/ }).tap();
  await page.getByRole("link", { name: /^Mesa 1 / }).tap();
  await bar.tap();
  await sheet.getByRole("button", { name: "Dividir" }).tap();
  await sheet.getByRole("button", { name: /^1 Refresco Parte 1/ }).tap();
  await sheet.getByRole("button", { name: "Hacer 2 cuentas" }).tap();
  await sheet.getByRole("tab", { name: /^2 · RD\$115\.20/ }).tap();
  await sheet.getByRole("button", { name: "Cerrar" }).tap();
  await expect(bar).toHaveText("RD$115.20Cuenta 2 · 1 línea");
});

test("a receipt with tax credit shows the buyer's name, the payment and the tip as on paper [TOUCH-432] [TOUCH-433]", async ({
  open,
  restaurant,
}) => {
  const watcher = await restaurant.terminal("montos-mira");
  await online(watcher);
  const page = await open({ name: "caja-nombre", login: "cashier", kind: "tablet" });
  await page.getByRole("link", { name: /^Mesa 2 / }).tap();
  await order(page, "Platos fuertes", "Sancocho");
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: /^Consumidor final/ }).tap();
  const sheet = page.getByRole("dialog");
  await expect(sheet.getByLabel("Nombre o razón social")).toHaveCount(0);
  await sheet.getByRole("button", { name: "Crédito fiscal E31" }).tap();
  await sheet.getByRole("button", { name: "Escribir" }).tap();
  for (const digit of "101010101") await sheet.getByRole("button", { name: digit, exact: true }).tap();
  await sheet.getByLabel("Nombre o razón social").fill("Ferretería Ozama SRL");
  await sheet.getByRole("button", { name: "Listo" }).tap();
  await page.getByRole("button", { name: "10 %" }).tap();
  await page.getByRole("button", { name: /^Tarjeta/ }).tap();
  const receipt = page.getByRole("article");
  await expect(receipt).toContainText("Ferretería Ozama SRL");
  await expect(receipt).toContainText("RNC/Cédula: 101010101");
  await expect(receipt).toContainText("TOTALRD$665.60");
  await expect(receipt).toContainText("Tarjeta665.60");
  await expect(receipt).toContainText("Propina voluntaria66.56");
  const named = () => watcher.orders().find(({ snapshot }) => snapshot.fiscal?.rnc === "101010101")?.snapshot.fiscal;
  await expect.poll(named).toMatchObject({ name: "Ferretería Ozama SRL" });
});

test("the split of a partly voided line offers only the quantity that is still charged [TOUCH-45]", async ({
  open,
  restaurant,
}) => {
  const terminal = await restaurant.terminal("anulada-en-parte");
  await online(terminal);
  const posReference = "en-parte";
  const dish = { id: "uno", productId: "101", name: "Tostones", quantity: 3, unitPrice: 225, total: 864 };
  const totals = { subtotal: 864, tax: 0, total: 864 };
  terminal.openOrder({ posReference, orderType: "dine_in", tableId: 33, lines: [dish], totals });
  terminal.sendToKitchen(posReference);
  terminal.voidLine(posReference, dish.id, { quantity: 1, reason: "Se equivocó" });
  await terminal.idle();
  const page = await open({ name: "parte-anulada", login: "cashier", kind: "tablet" });
  await page.getByRole("link", { name: /^Mesa 6 / }).tap();
  await page.getByRole("button", { name: "Dividir" }).tap();
  await expect(page.getByRole("dialog").getByRole("button", { name: /^2 Tostones Parte 1/ })).toBeVisible();
});

test("a check shown by itself names the other checks of its table and links to them [TOUCH-523]", async ({ open }) => {
  const page = await open({ name: "montos-cuentas", login: "cashier", kind: "tablet" });
  await page.getByRole("link", { name: /^Mesa 8 / }).tap();
  await order(page, "Platos fuertes", "Sancocho");
  await order(page, "Bebidas", "Refresco");
  await page.getByRole("button", { name: "Dividir" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: /^1 Refresco Parte 1/ }).tap();
  await sheet.getByRole("button", { name: "Hacer 2 cuentas" }).tap();
  const checks = page.getByRole("tablist", { name: "Cuentas de la mesa" }).getByRole("tab");
  await expect(checks).toHaveCount(2);

  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("link", { name: "Volver a la cuenta" }).tap();
  await expect(checks).toHaveText([/RD\$665\.60/, /RD\$115\.20/]);
  await checks.last().tap();
  await expect(page.locator(".check-total")).toContainText("RD$115.20");
  await order(page, "Bebidas", "Agua");
  await expect(checks).toHaveText([/RD\$665\.60/, /RD\$175\.20/]);
});

test("opening a line's choices deselects it, and the save button shows the price including taxes [TOUCH-40] [TOUCH-430]", async ({
  open,
}) => {
  const page = await open({ name: "montos-elegida", kind: "tablet" });
  await page.getByRole("link", { name: /^Mesa 9 / }).tap();
  await order(page, "Platos fuertes", "Churrasco");
  const acts = page.getByRole("group", { name: "Líneas elegidas" });
  await page.getByRole("button", { name: /^1 Churrasco/ }).tap();
  await expect(acts).toBeVisible();
  await page.getByRole("button", { name: "Cambiar Churrasco" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "Término medio" }).tap();
  const save = sheet.getByRole("button", { name: "Guardar RD$1,600.00 con impuestos" });
  const own = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await save.locator(".act-more").evaluate((text) => text.scrollWidth <= text.clientWidth)).toBe(true);
  await page.setViewportSize(own!);
  await save.tap();
  await expect(page.getByRole("button", { name: /^1 Churrasco.*Término medio/ })).toBeVisible();
  await expect(acts).toBeHidden();
});

test("a tip's percentage keeps applying to the amount for which it was chosen after a part payment [TOUCH-75]", async ({
  open,
}) => {
  const page = await open({ name: "montos-propina", login: "cashier", kind: "tablet" });
  await page.getByRole("link", { name: /^Mesa 10 / }).tap();
  await order(page, "Platos fuertes", "Sancocho");
  await page.getByRole("button", { name: /^Cobrar/ }).tap();
  await page.getByRole("button", { name: "10 %" }).tap();
  await page.getByRole("button", { name: "RD$500", exact: true }).tap();
  await expect(page.getByText("con RD$66.56 de propina")).toBeVisible();
  await expect(page.getByText("Faltan RD$165.60 de RD$665.60")).toBeVisible();
  await expect(page.getByText("% sobre RD$665.60, con impuestos")).toBeVisible();
});

test("two checks with the same guest's name after a split are told apart by their numbers [TOUCH-1510]", async ({
  open,
  restaurant,
}) => {
  const terminal = await restaurant.terminal("monto-nombres");
  await online(terminal);
  const dish = { quantity: 1, unitPrice: 100, total: 100, taxIds: [], taxAmount: 0 };
  const lines = ["uno", "dos"].map((id) => ({ ...dish, id, productId: "101", name: id }));
  const totals = { subtotal: 200, tax: 0, total: 200 };
  const check = { posReference: "dos-nombres", orderType: "dine_in", tableId: 34, customerName: "Rosario" } as const;
  terminal.openOrder({ ...check, lines, totals });
  await terminal.idle();
  const page = await open({ name: "montos-nombres", login: "cashier", kind: "tablet" });
  await page.getByRole("link", { name: /^Mesa 7 / }).tap();
  await page.getByRole("button", { name: "Dividir" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet
    .getByRole("button", { name: /Parte 1/ })
    .nth(1)
    .tap();
  await sheet.getByRole("button", { name: "Hacer 2 cuentas" }).tap();
  const checks = page.getByRole("tablist", { name: "Cuentas de la mesa" }).getByRole("tab");
  await expect(checks).toHaveText(["1 Rosario · RD$100.00", "2 Rosario · RD$100.00"]);
});
