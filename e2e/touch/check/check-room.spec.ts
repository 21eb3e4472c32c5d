import type { Locator, Page } from "@playwright/test";
import type { OrderLine, Terminal } from "@comanda/terminal";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

/** Record ids of Mesa 1 to 3. */
const tables = { sent: 28, partlySent: 29, long: 30 };
const courses = { pc: { name: "Mesa 4", id: 31 }, tablet: { name: "Mesa 5", id: 32 } };
let waiter: Terminal;

/** Twelve dishes of a table of four, two of them with a note for the kitchen. */
const dishes: OrderLine[] = [
  line("a", "tostones", 2),
  line("b", "mojito", 3),
  line("c", "flan"),
  line("d", "mofongo", 1, { note: "Sin ajo" }),
  line("e", "chillo", 2),
  line("f", "sancocho"),
  line("g", "chivo"),
  line("h", "bandera", 2),
  line("i", "churrasco", 1, { note: "Bien cocido, salsa aparte" }),
  line("j", "mojito", 2),
  line("k", "tostones"),
  line("l", "flan", 2),
];

test.beforeAll(async ({ restaurant }) => {
  waiter = await restaurant.terminal("mesero-largo");
  await online(waiter);
  waiter.openOrder(newOrder("R-1", dishes, tables.sent));
  waiter.sendToKitchen("R-1");
  waiter.openOrder(newOrder("R-2", dishes, tables.partlySent));
  waiter.sendToKitchen(
    "R-2",
    dishes.slice(0, 6).map(({ id }) => id),
  );
  const twice = dishes.map((dish) => ({ ...dish, id: `${dish.id}2` }));
  waiter.openOrder(newOrder("R-3", [...dishes, ...twice], tables.long));
  await waiter.idle();
});

/** Counts the check's lines that are fully visible without scrolling. */
function wholeLines(page: Page): Promise<number> {
  return page.locator(".check-lines").evaluate((list) => {
    const { top, bottom } = list.getBoundingClientRect();
    const visible = { top: Math.max(top, 0), bottom: Math.min(bottom, innerHeight) };
    return [...list.querySelectorAll(".line")].filter((each) => {
      const box = each.getBoundingClientRect();
      return box.height > 0 && box.top >= visible.top - 0.5 && box.bottom <= visible.bottom + 0.5;
    }).length;
  });
}

async function boxOf(part: Locator) {
  const box = await part.boundingBox();
  if (box === null) throw new Error("not shown");
  return { ...box, bottom: box.y + box.height, right: box.x + box.width };
}

for (const kind of ["pc", "tablet"] as const) {
  test(`a check shows ten or more of twelve lines, with the sums, Send and Pay always in view (${kind}) [TOUCH-370]`, async ({
    open,
  }) => {
    const page = await open({ name: `mesero-largo-${kind}`, kind });
    for (const [table, id] of Object.entries(tables)) {
      await test.step(table, async () => {
        await page.evaluate((hash) => (location.hash = hash), `#/table/${id}`);
        const lines = page.locator(".check-lines");
        await expect(lines.locator(".line")).toHaveCount(id === tables.long ? 24 : 12);
        await expect(page.getByRole("button", { name: /^Cobrar/ })).toBeEnabled();
        await expect.poll(() => wholeLines(page)).toBeGreaterThanOrEqual(10);

        const block = page.getByRole("group", { name: "Total y acciones" });
        for (const sum of ["Subtotal", "ITBIS 18 %", "Propina legal 10 %", "Total"]) {
          await expect(block.getByText(sum, { exact: true })).toBeVisible();
        }
        const acts = [block.getByRole("button", { name: /^Cobrar/ })];
        if (id !== tables.sent) acts.push(block.getByRole("button", { name: /^Enviar · / }));
        await lines.evaluate((list) => list.scrollTo({ top: list.scrollHeight }));
        for (const act of acts) await expect(act).toBeInViewport({ ratio: 1 });
        await expect(block).toBeInViewport({ ratio: 1 });
        const [above, below] = [await boxOf(lines), await boxOf(block)];
        expect(below.y).toBeGreaterThanOrEqual(above.bottom);
        // No part of the block may scroll.
        expect(await block.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(0);
      });
    }
  });
}

test("a tap on an unsent line shows its actions below the lines and keeps its height [TOUCH-371]", async ({ open }) => {
  const page = await open({ name: "mesero-cambia", kind: "pc" });
  await page.evaluate((hash) => (location.hash = hash), `#/table/${tables.partlySent}`);
  const row = page.getByRole("button", { name: /^1 Churrasco/ });
  await expect(row).toBeVisible();
  await expect(page.getByRole("button", { name: /^Uno más de/ })).toHaveCount(0);
  const { height } = await boxOf(row);
  expect(height).toBeGreaterThanOrEqual(48);
  await row.tap();
  const acts = page.getByRole("group", { name: "Líneas elegidas" });
  // Scrolling stops at whole pixels.
  await expect(row).toBeInViewport({ ratio: 0.98 });
  expect((await boxOf(row)).height).toBe(height);
  await acts.getByRole("button", { name: "Uno más de Churrasco" }).tap();
  await expect(page.getByRole("button", { name: /^2 Churrasco/ })).toBeVisible();
  await acts.getByRole("button", { name: "Uno menos de Churrasco" }).tap();
  await acts.getByRole("button", { name: "Cambiar Churrasco" }).tap();
  await expect(page.getByRole("dialog", { name: "Churrasco" })).toBeVisible();
});

for (const kind of ["pc", "tablet"] as const) {
  test(`the next course, or the same round again, takes the place of Send when all is sent (${kind}) [TOUCH-372]`, async ({
    open,
  }) => {
    const held = line("b", "chivo", 2, { course: 2, hold: true });
    const reference = `R-4-${kind}`;
    waiter.openOrder(newOrder(reference, [line("a", "tostones"), held], courses[kind].id));
    waiter.sendToKitchen(reference, ["a"]);
    await waiter.idle();
    const page = await open({ name: `mesero-tiempo-${kind}`, kind });
    await page.evaluate((hash) => (location.hash = hash), `#/check/${reference}`);
    const block = page.getByRole("group", { name: "Total y acciones" });
    await expect(block.getByRole("button", { name: /^Cobrar/ })).toBeEnabled();
    await expect(block.getByRole("button", { name: /^Enviar/ })).toHaveCount(0);
    await expect(block.locator("button:disabled")).toHaveCount(0);
    const fire = block.getByRole("button", { name: "Marchar tiempo 2" });
    await expect(fire).toContainText("2 artículos");
    await fire.tap();
    await expect(page.getByRole("link", { name: new RegExp(`^${courses[kind].name} En cocina`) })).toBeVisible();

    await page.evaluate((hash) => (location.hash = hash), `#/check/${reference}`);
    await expect(block.getByRole("button", { name: "Otra ronda igual" })).toContainText("2 artículos");
    await expect(block.getByRole("button", { name: /^Enviar/ })).toHaveCount(0);
    await expect(block.locator("button:disabled")).toHaveCount(0);
  });
}

test("in a low window a selected line and its actions take the place of the pay buttons [TOUCH-464]", async ({
  open,
}) => {
  const page = await open({ name: "ampliado", kind: "pc" });
  // A PC of 1366 × 768 with a browser zoom of 150 %.
  await page.setViewportSize({ width: 911, height: 512 });
  await page.evaluate(() => (location.hash = "#/table/33"));
  await page.locator(".tile").first().tap();
  const chosen = page.locator(".line").first();
  await chosen.tap();
  await expect(chosen).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Quitar" })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "No elegir nada" }).tap();
  await expect(page.getByRole("button", { name: /^Cobrar/ })).toBeInViewport({ ratio: 1 });
});
