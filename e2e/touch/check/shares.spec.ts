import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

test("a dish shared by three is a third in the split, on the check and on the bill of each [TOUCH-1595]", async ({
  open,
  restaurant,
}) => {
  const manager = await restaurant.terminal("tercios");
  await online(manager);
  await manager.openOrder(newOrder("SHARE/1", [lineOf("a", 1000, { name: "Parrillada" })], 28)).outcome;
  const page = await open({ name: "tercios-1", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/table/28"));
  await page.getByRole("button", { name: "Dividir" }).tap();
  const sheet = page.getByRole("dialog", { name: "Dividir" });
  await sheet.getByRole("button", { name: "Una parte más" }).tap();
  await sheet.getByRole("button", { name: "÷ 3: Parrillada entre todas las partes" }).tap();
  await expect(sheet.getByText("Parte 3: 1/3")).toBeVisible();
  await sheet.getByRole("button", { name: "Hacer 3 cuentas" }).tap();
  await expect.poll(() => manager.order("SHARE/1")?.snapshot.lines[0]?.quantity).toBe(0.334);
  await page.evaluate(() => (location.hash = "#/check/SHARE%2F1"));
  await expect(page.locator(".line-quantity")).toHaveText("1/3");
  await page.evaluate(() => (location.hash = "#/bill/SHARE%2F1"));
  await expect(page.getByText("1/3 Parrillada")).toBeVisible();
  await expect(page.getByText("1/3 x 1,000.00")).toBeVisible();

  await manager.sendToKitchen("SHARE/1").outcome;
  await page.evaluate(() => (location.hash = "#/kitchen"));
  const ticket = page.getByRole("article").filter({ hasText: "Parrillada" });
  await ticket.getByRole("button", { name: "1/3 Parrillada: por partes" }).tap();
  await expect(page.getByRole("dialog", { name: "1/3 Parrillada" })).toBeVisible();
});
