import type { Page } from "@playwright/test";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const dish = (page: Page, name: string) => page.locator(".tile").filter({ hasText: name });

/** Adds two of a dessert to a table's check. */
async function takeTwo(page: Page, table: string, name: string): Promise<void> {
  await page.getByRole("link", { name: new RegExp(`^${table} Libre`) }).tap();
  await page.getByRole("tab", { name: "Postres" }).tap();
  for (const count of ["1", "2"]) {
    await dish(page, name).tap();
    await expect(dish(page, name).locator(".tile-count")).toContainText(count);
  }
}

test("of three portions left, a second waiter who ordered two keeps the one that remains [TOUCH-358]", async ({
  open,
  restaurant,
}) => {
  const kitchen = await restaurant.terminal("cocina-tres");
  await online(kitchen);
  await kitchen.setItemState({ productId: 134, state: "limited", left: 3 }).outcome;
  const ana = await open({ name: "ana-tres" });
  const luis = await open({ name: "luis-tres", kind: "tablet" });
  await takeTwo(ana, "Mesa 1", "Flan de coco");
  await takeTwo(luis, "Mesa 2", "Flan de coco");
  const strip = luis.locator(".strip").filter({ hasText: "Flan de coco" });
  await expect(strip).toHaveCount(0);
  await ana.getByRole("button", { name: /^Enviar · Mesa 1/ }).tap();
  await expect(strip).toHaveText(/^No alcanza: Flan de coco \(queda 1\)/);
  // The strip must stay within the check, next to which the dishes are.
  const check = await luis.locator(".order-check").boundingBox();
  for (const act of await strip.getByRole("button").all()) {
    const box = await act.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(check!.x + check!.width);
  }
  await strip.getByRole("button", { name: "Dejar lo que queda" }).tap();
  await expect(strip).toHaveCount(0);
  await luis.getByRole("button", { name: /^Enviar · Mesa 2/ }).tap();
  const ordered = () =>
    kitchen.tickets().flatMap(({ tableId, lines }) => lines.map(({ quantity, name }) => [tableId, quantity, name]));
  await expect.poll(ordered).toEqual([
    [28, 2, "Flan de coco"],
    [29, 1, "Flan de coco"],
  ]);
  await expect.poll(() => kitchen.itemStates()).toMatchObject([{ productId: 134, state: "out" }]);
});

test("the payment screen does not count a sold-out dish as to be sent, and can remove it before charging [TOUCH-358]", async ({
  open,
  restaurant,
}) => {
  const kitchen = await restaurant.terminal("cocina-cobro");
  await online(kitchen);
  const page = await open({ name: "caja-cobro", login: "cashier", kind: "tablet" });
  await takeTwo(page, "Mesa 3", "Tres leches");
  await dish(page, "Habichuelas con dulce").tap();
  await page.getByRole("button", { name: "Cobrar" }).tap();
  await expect(page.getByText("Al cobrar se envían 3 artículos")).toBeVisible();
  await kitchen.setItemState({ productId: 135, state: "out" }).outcome;
  const strip = page.locator(".strip").filter({ hasText: "Agotado: Tres leches" });
  await expect(page.getByText("Al cobrar se envía 1 artículo")).toBeVisible();
  await strip.getByRole("button", { name: "Quitar" }).tap();
  await expect(strip).toHaveCount(0);
  await page.getByRole("button", { name: "Exacto" }).tap();
  await expect(page.getByRole("heading", { name: /^Cobrado/ })).toBeVisible();
  await expect(page.getByRole("article", { name: "Recibo" })).not.toContainText("Tres leches");
});

test("a sold-out dish of a waiting course is named before the course is fired [TOUCH-358]", async ({
  open,
  restaurant,
}) => {
  const kitchen = await restaurant.terminal("cocina-tiempos");
  await online(kitchen);
  const main = line("b", "mofongo", 1, { course: 2, hold: true });
  kitchen.openOrder(newOrder("WAITS-1", [line("a", "sancocho"), main], 31));
  kitchen.sendToKitchen("WAITS-1", ["a"]);
  await kitchen.idle();
  const page = await open({ name: "ana-tiempos", kind: "tablet" });
  await page.evaluate(() => (location.hash = "#/check/WAITS-1"));
  await expect(page.getByText("Mofongo de camarones").first()).toBeVisible();
  await kitchen.setItemState({ productId: main.productId ?? "", state: "out" }).outcome;
  const strip = page.locator(".strip").filter({ hasText: "Agotado: Mofongo de camarones" });
  await expect(strip.getByRole("button")).toHaveText(["Quitar"]);
  await strip.getByRole("button", { name: "Quitar" }).tap();
  await expect(strip).toHaveCount(0);
  await expect.poll(() => kitchen.order("WAITS-1")?.snapshot.lines.map(({ id }) => id)).toEqual(["a"]);
});
