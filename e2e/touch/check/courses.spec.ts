import type { Page } from "@playwright/test";
import type { Terminal } from "@comanda/terminal";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

/** Record ids of Terraza 1 to 4. */
const terrace = [61, 62, 63, 64] as const;
let waiter: Terminal;

test.beforeAll(async ({ restaurant }) => {
  waiter = await restaurant.terminal("mesero-tiempos");
  await online(waiter);
});

const ticketsOn = (page: Page, table: string) => page.getByRole("article", { name: table, exact: true });
const go = (page: Page, address: string) => page.evaluate((hash) => (location.hash = hash), `#${address}`);

test("a second course waits under its own heading, and its fired ticket names the course, not an add-on [TOUCH-323] [TOUCH-324] [TOUCH-325]", async ({
  open,
}) => {
  const held = line("b", "chivo", 1, { course: 2, hold: true });
  waiter.openOrder(newOrder("T-1", [line("a", "tostones"), held], terrace[0]));
  waiter.sendToKitchen("T-1", ["a"]);
  await waiter.idle();
  const page = await open({ name: "mesero-tiempos-1" });
  await page.getByRole("tab", { name: "Terraza" }).tap();
  const table = page.getByRole("link", { name: /^Terraza 1 / });
  await expect(table).toHaveAccessibleName(/Tiempo 2 espera · \d+ (s|min)/);
  await expect(table).not.toHaveAccessibleName(/sin enviar/);
  await table.tap();
  // The button for paying stays in its usual place.
  await expect(page.getByRole("button", { name: /^Cobrar/ })).toBeEnabled();
  await page.getByRole("button", { name: /2 líneas/ }).tap();
  const check = page.getByRole("dialog");
  await expect(check.getByRole("heading", { name: /^Tiempo 2 espera · / })).toBeVisible();
  await expect(check.getByRole("heading", { name: "Sin enviar" })).toHaveCount(0);
  await page.keyboard.press("Escape");

  const kitchen = await open({ name: "cocina-tiempos", kind: "tablet" });
  await go(kitchen, "/kitchen");
  await expect(ticketsOn(kitchen, "Terraza 1")).toHaveCount(1);
  await page.getByRole("button", { name: /tiempo 2$/ }).tap();
  const fired = ticketsOn(kitchen, "Terraza 1").last();
  await expect(fired.getByText("Chivo guisado")).toBeVisible();
  await expect(fired.getByText("TIEMPO 2", { exact: true })).toBeVisible();
  await expect(fired.getByText("ADICIONAL")).toHaveCount(0);
});

test("a ticket given priority at the pass comes first in the kitchen, which can remove the priority [TOUCH-326]", async ({
  open,
}) => {
  const kitchen = await open({ name: "cocina-prisa", kind: "pc" });
  await go(kitchen, "/kitchen");
  const pass = await open({ name: "pase-prisa", kind: "tablet" });
  await go(pass, "/expo");
  for (const [posReference, tableId] of [
    ["T-2", terrace[1]],
    ["T-3", terrace[2]],
  ] as const) {
    waiter.openOrder(newOrder(posReference, [line("a", "sancocho")], tableId));
    waiter.sendToKitchen(posReference);
    await waiter.idle();
  }
  const shown = () =>
    kitchen.getByRole("article").evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
  await expect.poll(async () => (await shown()).slice(-2)).toEqual(["Terraza 2", "Terraza 3"]);
  await ticketsOn(pass, "Terraza 3").getByRole("button", { name: "Dar prioridad" }).tap();
  await expect(ticketsOn(kitchen, "Terraza 3").getByText("PRIORIDAD")).toBeVisible();
  await expect.poll(async () => (await shown())[0]).toBe("Terraza 3");

  await ticketsOn(kitchen, "Terraza 3").getByRole("button", { name: "1 Sancocho: por partes" }).tap();
  await kitchen.getByRole("dialog").getByRole("button", { name: "Quitar prioridad" }).tap();
  await expect(ticketsOn(kitchen, "Terraza 3").getByText("PRIORIDAD")).toHaveCount(0);
  await expect.poll(async () => (await shown()).slice(-2)).toEqual(["Terraza 2", "Terraza 3"]);
});

test("an allergy of one of two guests reaches the kitchen after the dish was sent [TOUCH-1598]", async ({ open }) => {
  const page = await open({ name: "mesero-aviso" });
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 5 / }).tap();
  const dish = page.locator(".tile").filter({ hasText: "Tostones con salsa de ajo" });
  await dish.tap();
  await dish.tap();
  await page.getByRole("button", { name: /^Enviar · Terraza 5/ }).tap();
  const kitchen = await open({ name: "cocina-aviso", kind: "tablet" });
  await go(kitchen, "/kitchen");
  const ticket = ticketsOn(kitchen, "Terraza 5");
  await expect(ticket.locator(".kline-quantity")).toHaveText("2");

  await go(page, "/floor");
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 5 / }).tap();
  await page.getByRole("button", { name: /1 línea/ }).tap();
  await page.getByRole("button", { name: /^2 Tostones/ }).tap();
  await page.getByRole("button", { name: "Uno menos" }).tap();
  await page.getByRole("button", { name: "Nota a cocina" }).tap();
  const sheet = page.getByRole("dialog", { name: /^Nota a cocina: 1 Tostones/ });
  await sheet.getByLabel("Alergia").fill("Maní");
  await sheet.getByRole("button", { name: "Guardar" }).tap();
  await expect(ticket.getByText("ALERGIA: Maní")).toBeVisible();
  await expect(ticket.locator(".kline-quantity")).toHaveText(["1", "1"]);
});

test("an allergy is entered apart from the notes and shown in red on the check, in the kitchen and at the pass [TOUCH-327]", async ({
  open,
}) => {
  const page = await open({ name: "mesero-alergia" });
  await page.getByRole("tab", { name: "Terraza" }).tap();
  await page.getByRole("link", { name: /^Terraza 4 / }).tap();
  await page.locator(".tile").filter({ hasText: "Tostones con salsa de ajo" }).tap();
  await page.getByRole("button", { name: /1 línea/ }).tap();
  await page.getByRole("button", { name: /^1 Tostones/ }).tap();
  await page.getByRole("button", { name: /^Cambiar Tostones/ }).tap();
  const sheet = page.getByRole("dialog").last();
  await sheet.getByRole("region", { name: "Alergia" }).getByRole("button", { name: "Maní" }).tap();
  await sheet.getByRole("region", { name: "Alergia" }).getByRole("textbox").fill("ajonjolí");
  await sheet.getByRole("button", { name: /^Guardar/ }).tap();
  await page.getByRole("button", { name: /1 línea/ }).tap();
  await expect(page.getByRole("dialog").getByText("ALERGIA: Maní, ajonjolí")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Enviar · Terraza 4/ }).tap();
  const kitchen = await open({ name: "cocina-alergia", kind: "tablet" });
  for (const screen of ["/kitchen", "/expo"]) {
    await go(kitchen, screen);
    const allergy = ticketsOn(kitchen, "Terraza 4").getByText("ALERGIA: Maní, ajonjolí");
    await expect(allergy).toBeVisible();
    const [red = 0, green = 0, blue = 0] = await allergy.evaluate((element) =>
      (getComputedStyle(element).backgroundColor.match(/\d+/g) ?? []).map(Number),
    );
    expect(red).toBeGreaterThan(2 * Math.max(green, blue));
  }
});
