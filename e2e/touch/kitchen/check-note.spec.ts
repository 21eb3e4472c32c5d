import AxeBuilder from "@axe-core/playwright";
import type { Locator, Page } from "@playwright/test";
import type { Terminal } from "@comanda/terminal";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

/** Record ids of Terraza 1 to 4. */
const terrace = [61, 62, 63, 64] as const;
/** A note of the longest length. */
const long = "Alergia a mariscos en toda la mesa, por favor nada frito en el mismo aceite. ".repeat(13).slice(0, 1000);
let waiter: Terminal;

test.beforeAll(async ({ restaurant }) => {
  waiter = await restaurant.terminal("mesero-notas");
  await online(waiter);
});

async function send(posReference: string, tableId: number, notes: string): Promise<void> {
  const lines = [line("a", "mofongo", 2), line("b", "chivo")];
  waiter.openOrder({ ...newOrder(posReference, lines, tableId), notes }, { additionalCheck: true });
  waiter.sendToKitchen(posReference);
  await waiter.idle();
}

async function note(posReference: string, notes: string): Promise<void> {
  waiter.editOrder(posReference, (content) => ({ ...content, notes }));
  await waiter.idle();
}

const cardOn = (page: Page, table: string) => page.getByRole("article", { name: table, exact: true });
const openScreen = async (page: Page, screen: "kitchen" | "expo") => {
  await page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
  await expect(page.locator(".kitchen")).toBeVisible();
};
const heightOf = async (of: Locator) => (await of.boundingBox())?.height ?? 0;

for (const { kind, table } of [
  { kind: "phone", table: 1 },
  { kind: "pc", table: 4 },
] as const) {
  test(`a long note of a check leaves its dishes in view until it is tapped (${kind}) [TOUCH-1560]`, async ({
    open,
  }) => {
    const page = await open({ name: `nota-${kind}`, kind });
    await openScreen(page, "kitchen");
    await send(`N-${kind}`, terrace[table - 1] ?? 0, "Cumpleaños");
    const card = cardOn(page, `Terraza ${table}`);
    const shown = card.getByRole("group");
    await expect(shown).toHaveText("Cumpleaños");
    await note(`N-${kind}`, long);
    await expect(shown).toHaveText(long);
    await expect(card.getByRole("button", { name: /^Listo: 2 Mofongo/ })).toBeInViewport();
    const cut = await heightOf(shown);
    expect(cut).toBeGreaterThanOrEqual(48);
    expect(cut).toBeLessThan(120);
    await shown.tap();
    expect(await heightOf(shown)).toBeGreaterThan(3 * cut);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().include(".kitchen").analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await shown.tap();
    expect(await heightOf(shown)).toBe(cut);
    // On a phone the pass lists only what is ready.
    waiter.bump(`N-${kind}`, "a", 2);
    await openScreen(page, "expo");
    await expect(shown).toHaveText(long);
    expect(await heightOf(shown)).toBeLessThan(120);
  });
}

test("a changed note has to be seen again, and a moved dish names the note of its other table [TOUCH-1560, KIT-541]", async ({
  open,
}) => {
  const page = await open({ name: "nota-cambio", kind: "tablet" });
  await openScreen(page, "kitchen");
  await page.getByRole("button", { name: /^Empezar turno/ }).tap();
  await send("N-1", terrace[1], "");
  const card = cardOn(page, "Terraza 2");
  await expect(card.getByText("Nueva")).toBeVisible();
  await expect(card.getByText("Nueva")).toHaveCount(0);
  await expect(card.getByRole("group")).toHaveCount(0);
  await note("N-1", "Sin prisa");
  await expect(card.getByText("Nueva")).toBeVisible();
  await expect(card.getByRole("group")).toHaveText("Sin prisa");
  waiter.openOrder({ ...newOrder("N-2", [line("c", "sancocho")], terrace[2]), notes: "Alergia al maní" });
  waiter.moveLines("N-1", "N-2", [{ lineId: "a", quantity: 1 }]);
  await waiter.idle();
  await expect(card.getByRole("group")).toHaveText(["Sin prisa", "→ Terraza 3: Alergia al maní"]);
  // Both checks become one, with both notes.
  waiter.mergeOrders(["N-1"], "N-2");
  await waiter.idle();
  await expect(cardOn(page, "Terraza 3").getByRole("group")).toHaveText("Alergia al maní / Sin prisa");
  await openScreen(page, "expo");
  await expect(cardOn(page, "Terraza 3").getByRole("group")).toHaveText("Alergia al maní / Sin prisa");
});
