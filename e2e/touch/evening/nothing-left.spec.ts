import type { Page } from "@playwright/test";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const table = (page: Page, name: string, state: string) =>
  page.getByRole("link", { name: new RegExp(`^${name} ${state}`) });

test("a check whose last dish is voided offers to free its table instead of a payment [TOUCH-354]", async ({
  open,
  restaurant,
}) => {
  const terminal = await restaurant.terminal("anulada");
  await online(terminal);
  const line = { id: "uno", productId: "101", name: "Tostones", quantity: 1, unitPrice: 225, total: 288 };
  terminal.openOrder({
    posReference: "anulada",
    orderType: "dine_in",
    tableId: 33,
    lines: [line],
    totals: { subtotal: 288, tax: 0, total: 288 },
  });
  terminal.sendToKitchen("anulada");
  await terminal.idle();
  const page = await open({ name: "caja-anulada", login: "cashier", kind: "tablet" });
  await table(page, "Mesa 6", "En cocina").tap();
  await page.getByRole("button", { name: /^1 Tostones/ }).tap();
  await page.getByRole("button", { name: "Anular" }).tap();
  await page.getByRole("button", { name: "Se equivocó" }).tap();
  await expect(page.getByRole("button", { name: /^Cobrar/ })).toHaveCount(0);
  await page.getByRole("button", { name: /^Liberar la mesa/ }).tap();
  await expect(table(page, "Mesa 6", "Libre")).toBeVisible();
  await expect.poll(() => terminal.order("anulada")).toBeUndefined();
});

test("a payment on a fully voided check can be taken back, and its table can then be freed [TOUCH-354]", async ({
  open,
  restaurant,
}) => {
  const terminal = await restaurant.terminal("pagada");
  await online(terminal);
  terminal.openOrder({
    posReference: "pagada",
    orderType: "dine_in",
    tableId: 33,
    lines: [{ id: "uno", productId: "101", name: "Tostones", quantity: 1, unitPrice: 225, total: 288 }],
    adjustments: [{ kind: "service", amount: 100, reason: "Descorche" }],
    totals: { subtotal: 288, tax: 0, total: 388 },
  });
  terminal.sendToKitchen("pagada");
  terminal.tender("pagada", { methodId: 1, amount: 100 });
  terminal.voidLine("pagada", "uno", { reason: "Se equivocó" });
  await terminal.idle();
  const page = await open({ name: "caja-pagada", login: "cashier", kind: "tablet" });
  await table(page, "Mesa 6", "").tap();
  await expect(page.getByRole("button", { name: /^Liberar la mesa/ })).toHaveCount(0);
  await page.getByRole("button", { name: "Pagos de esta cuenta" }).tap();
  await expect(page.getByText("Todo en esta cuenta está anulado: devuelva sus pagos.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Cerrar la cuenta" })).toHaveCount(0);
  await page.getByRole("button", { name: "Devolver" }).tap();
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("button", { name: "El cliente paga de otra forma" }).tap();
  const hold = sheet.getByRole("button", { name: "Mantenga para devolver" });
  await hold.focus();
  await page.keyboard.down("Enter");
  await expect(page.getByText("En esta cuenta no hay nada que cobrar.")).toBeVisible();
  await page.keyboard.up("Enter");
  await page.getByRole("link", { name: "Salón" }).tap();
  await table(page, "Mesa 6", "").tap();
  await page.getByRole("button", { name: /^Liberar la mesa/ }).tap();
  await expect(table(page, "Mesa 6", "Libre")).toBeVisible();
});

test("a check whose only dish is removed unsent disappears, and one tap brings it back [TOUCH-355]", async ({
  open,
}) => {
  const page = await open({ name: "vacia", kind: "tablet" });
  await table(page, "Mesa 7", "Libre").tap();
  await page.locator(".tile").filter({ hasText: "Quipes de res" }).tap();
  await page.getByRole("button", { name: /^1 Quipes de res/ }).tap();
  await page.getByRole("button", { name: "Quitar", exact: true }).tap();
  await page.getByRole("link", { name: "Salón" }).tap();
  await expect(table(page, "Mesa 7", "Libre")).toBeVisible();
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect(table(page, "Mesa 7", "1 sin enviar")).toBeVisible();
  await table(page, "Mesa 7", "1 sin enviar").tap();
  await page.getByRole("button", { name: /^1 Quipes de res/ }).tap();
  await page.getByRole("button", { name: "Uno menos de Quipes de res" }).tap();
  await page.getByRole("link", { name: "Salón" }).tap();
  await expect(table(page, "Mesa 7", "Libre")).toBeVisible();
});
