import { lineOf, newOrder } from "../../support/orders.ts";
import { online, type Restaurant } from "../../support/restaurant.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/touch-test.ts";

const go = (page: Page, address: string) => page.evaluate((hash) => (location.hash = hash), `#${address}`);

/** Returns the right edges of these parts of the page. */
async function rightOf(page: Page, parts: string): Promise<number[]> {
  return page.locator(parts).evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
}

/** Opens a check of a million and sends it; pays it if `isPaid`. */
async function serve(restaurant: Restaurant, name: string, isPaid: boolean, tableId?: number): Promise<string> {
  const terminal = await restaurant.terminal(`mesero-${name}`, { login: "cashier" });
  await online(terminal);
  const order = newOrder(name, [lineOf("uno", 1_598_400, { name: "Churrasco" })], tableId);
  terminal.openOrder(order);
  terminal.sendToKitchen(order.posReference);
  if (isPaid) terminal.pay(order.posReference, { payments: [{ methodId: 2, amount: 1_598_400 }] });
  await terminal.idle();
  await terminal.stop();
  return order.posReference;
}

// Cheap tablets of 7 inches are 600 px wide, Apple's smallest 744.
for (const width of [600, 744]) {
  test(`on a tablet of ${width} px nothing is cut or out of reach [TOUCH-483]`, async ({ open, restaurant }) => {
    await serve(restaurant, `PAGADA-${width}`, true);
    const due = await serve(restaurant, `POR-COBRAR-${width}`, false);
    const page = await open({ name: `tableta-${width}`, login: "cashier", kind: "tablet" });
    await page.setViewportSize({ width, height: 1024 });
    await expect(page.getByRole("link", { name: /^Mesa 1 / })).toBeVisible();
    await go(page, `/pay/${encodeURIComponent(due)}`);
    await expect(page.getByRole("button", { name: "Exacto" })).toBeInViewport({ ratio: 1 });
    const [edge = 0] = await rightOf(page, ".pay-state");
    expect(Math.max(...(await rightOf(page, ".pay-head .act, .pay-state .large-money")))).toBeLessThanOrEqual(edge);

    await go(page, "/kitchen");
    expect(await linesOf(page, "Churrasco")).toBe(1);
    await expect(page.getByRole("button", { name: "Bar", exact: true })).toBeInViewport({ ratio: 1 });

    await go(page, "/recent");
    await page
      .getByRole("button", { name: /RD\$1,598,400\.00.*/ })
      .first()
      .tap();
    await expect(page.getByRole("article", { name: "COPIA" })).toBeInViewport({ ratio: 1 });
    expect(await outOfTheirRows(page)).toBe(0);
    await page.getByRole("button", { name: "Volver a la lista" }).tap();
    await expect(page.getByRole("searchbox")).toBeVisible();
  });
}

test("on a PC a long one-word dish is not broken on its ticket [TOUCH-483]", async ({ open, restaurant }) => {
  const waiter = await restaurant.terminal("mesero-larga");
  await online(waiter);
  waiter.openOrder(newOrder("UNA-PALABRA", [lineOf("una", 150, { productId: "104", name: "Chicharrones" })], 32));
  waiter.sendToKitchen("UNA-PALABRA");
  await waiter.idle();
  const page = await open({ name: "cocina-pc", kind: "pc" });
  await go(page, "/kitchen");
  expect(await linesOf(page, "Chicharrones")).toBe(1);
});

/** Returns over how many lines the kitchen's board breaks a dish's name. */
async function linesOf(page: Page, dish: string): Promise<number> {
  const name = page.locator(".board").getByText(dish, { exact: true }).first();
  await expect(name).toBeVisible();
  return name.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getClientRects().length;
  });
}

/** Counts the list's amounts that overflow their rows. */
function outOfTheirRows(page: Page): Promise<number> {
  return page
    .locator(".recent-row .money:visible")
    .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length);
}

test("a phone's bar shows all digits of a million, and six parts fit in one row [TOUCH-462]", async ({
  open,
  restaurant,
}) => {
  await serve(restaurant, "MILLON", false, 30);
  const page = await open({ name: "telefono-millon", login: "cashier" });
  await go(page, "/table/30");
  const total = page.locator(".order-total .money");
  await expect(total).toHaveText("RD$1,598,400.00");
  expect(await total.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.locator(".order-total").tap();
  await page.getByRole("button", { name: "Dividir" }).tap();
  await page.getByRole("link", { name: /^÷ 6/ }).tap();
  const parts = page.getByRole("group", { name: "Partes" }).getByRole("button");
  await expect(parts).toHaveText(["1", "÷2", "÷3", "÷4", "÷6", "Monto"]);
  const tops = await parts.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(new Set(tops).size).toBe(1);
});
