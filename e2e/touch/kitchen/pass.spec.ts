import type { Page } from "@playwright/test";
import type { Terminal } from "@comanda/terminal";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { deviceLine } from "../support/device-line.ts";
import { expect, test } from "../support/touch-test.ts";

/** Record ids of Terraza 1 to 4. */
const terrace = [61, 62, 63, 64] as const;
const MESA_1 = 28;
let waiter: Terminal;

test.beforeAll(async ({ restaurant }) => {
  waiter = await restaurant.terminal("mesero-pase");
  await online(waiter);
});

/** Opens a check on a table and sends it to the kitchen. */
async function send(posReference: string, tableId: number, ...dishes: Parameters<typeof line>[]): Promise<void> {
  const lines = dishes.map((dish) => line(...dish));
  waiter.openOrder(newOrder(posReference, lines, tableId), { additionalCheck: true });
  waiter.sendToKitchen(posReference);
  await waiter.idle();
}

const cardOn = (page: Page, table: string) => page.getByRole("article", { name: table, exact: true });
const openScreen = async (page: Page, screen: "kitchen" | "expo") => {
  await page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
  await expect(page.locator(".kitchen")).toBeVisible();
};
/** Returns the dishes that are ready at a page's pass, by table. */
const readyDishes = (page: Page) =>
  page
    .locator(".board .ticket:not([data-gone])")
    .evaluateAll((cards) =>
      cards.map((card) => [
        card.getAttribute("aria-label"),
        ...[...card.querySelectorAll('[data-state="ready"] .kline-name')].map((dish) => dish.textContent),
      ]),
    );

test("a dish moved to another table names it on its ticket, and is at the pass under that table [TOUCH-320]", async ({
  open,
}) => {
  const kitchen = await open({ name: "cocina-pase", kind: "tablet" });
  const pass = await open({ name: "pase-mesas", kind: "tablet" });
  await openScreen(kitchen, "kitchen");
  await openScreen(pass, "expo");
  await send("P-1", terrace[0], ["a", "mofongo", 3], ["b", "flan", 1]);
  const ticket = cardOn(kitchen, "Terraza 1");
  await expect(ticket.getByText("Mofongo de camarones")).toBeVisible();
  await expect(ticket.getByText("→")).toHaveCount(0);

  waiter.openOrder(newOrder("P-2", [line("c", "sancocho")], terrace[1]));
  waiter.moveLines("P-1", "P-2", [{ lineId: "a", quantity: 2 }]);
  await waiter.idle();
  await expect(ticket.getByText("2 → Terraza 2")).toBeVisible();
  const [sent] = waiter.tickets();
  for (const { lineId, quantity } of sent?.lines ?? [])
    waiter.bump({ kitchenTicketId: sent?.id ?? "" }, lineId, quantity);
  await expect(cardOn(pass, "Terraza 2").getByText("2 Mofongo de camarones")).toBeVisible();
  await expect(cardOn(pass, "Terraza 1").getByText("1 Mofongo de camarones")).toBeVisible();
  await expect(cardOn(pass, "Terraza 1").getByText("1 Flan de coco")).toBeVisible();

  // Dishes taken to one table do not affect those that wait for the other.
  await cardOn(pass, "Terraza 2").getByRole("button", { name: "Llevado", exact: true }).tap();
  await expect.poll(() => readyDishes(pass)).toEqual([["Terraza 1", "1 Mofongo de camarones", "1 Flan de coco"]]);
  await pass.getByRole("button", { name: "Deshacer" }).tap();
  await expect(cardOn(pass, "Terraza 2").getByRole("button", { name: /^Llevado: 2 Mofongo/ })).toBeVisible();
  // The whole check moves to another table, and so do its ready dishes.
  waiter.moveToTable("P-2", terrace[2]);
  await waiter.idle();
  await expect(cardOn(pass, "Terraza 3").getByText("2 Mofongo de camarones")).toBeVisible();
  await expect(cardOn(pass, "Terraza 2")).toHaveCount(0);
});

test("kitchen and pass number a check only if it is a further one of its table [TOUCH-1571]", async ({ open }) => {
  const kitchen = await open({ name: "cocina-cuentas", kind: "tablet" });
  const pass = await open({ name: "pase-cuentas", kind: "tablet" });
  await openScreen(kitchen, "kitchen");
  await openScreen(pass, "expo");
  await send("N-1", 30, ["a", "mofongo", 1]);
  await send("N-2", 30, ["a", "flan", 1]);
  for (const page of [kitchen, pass]) {
    await expect(cardOn(page, "Mesa 3").locator(".ticket-whom").filter({ hasText: "cuenta" })).toHaveText(/cuenta 2/);
    await expect(cardOn(page, "Mesa 3")).toHaveCount(2);
  }
});

test("consecutive parties at one table are told apart at the pass [TOUCH-320]", async ({ open }) => {
  const pass = await open({ name: "pase-tandas", kind: "tablet" });
  await openScreen(pass, "expo");
  await send("P-3", terrace[3], ["a", "chivo", 1]);
  const total = waiter.order("P-3")?.snapshot.totals.total ?? 0;
  waiter.pay("P-3", { payments: [{ methodId: 1, amount: total }] });
  await waiter.idle();
  await send("P-4", terrace[3], ["a", "chillo", 1]);
  await expect(cardOn(pass, "Terraza 4")).toHaveCount(2);
  await expect(
    cardOn(pass, "Terraza 4")
      .first()
      .getByText(/^de las? \d/),
  ).toBeVisible();
  await expect(cardOn(pass, "Terraza 4").last().getByText("Chillo frito")).toBeVisible();
});

test("every pass shows the same dishes, also when opened later or after the hub was killed [TOUCH-321] [TOUCH-322]", async ({
  open,
  restaurant,
}) => {
  const first = await open({ name: "pase-uno", kind: "tablet", refusalsExpected: true });
  await openScreen(first, "expo");
  const before = await readyDishes(first);
  await send("P-5", terrace[3], ["a", "churrasco", 1], ["b", "flan", 2]);
  await send("P-6", terrace[2], ["a", "sancocho", 1]);
  for (const posReference of ["P-5", "P-6"]) {
    for (const { id, quantity } of waiter.order(posReference)?.snapshot.lines ?? []) {
      waiter.bump(posReference, id, quantity);
    }
  }
  await waiter.idle();
  const expected = [...before, ["Terraza 4", "1 Churrasco", "2 Flan de coco"], ["Terraza 3", "1 Sancocho"]];
  await expect.poll(() => readyDishes(first)).toEqual(expected);
  const second = await open({ name: "pase-dos", kind: "tablet", refusalsExpected: true });
  await openScreen(second, "expo");
  await expect.poll(() => readyDishes(second)).toEqual(expected);

  await restaurant.killHub();
  await restaurant.startHub();
  await expect(first.getByText(/^Sin noticias/)).toHaveCount(0);
  expect(await readyDishes(first)).toEqual(expected);
  const third = await open({ name: "pase-tres", kind: "tablet" });
  await openScreen(third, "expo");
  await expect.poll(() => readyDishes(third)).toEqual(expected);
  const board = third.locator(".board").getByRole("article", { name: "Terraza 4", exact: true });
  await board.getByRole("button", { name: "Llevado", exact: true }).tap();
  const remaining = expected.filter(([, dish]) => dish !== "1 Churrasco");
  await expect.poll(() => readyDishes(first)).toEqual(remaining);
  await expect.poll(() => readyDishes(second)).toEqual(remaining);

  // The kitchen recalls the soup, which nobody has taken.
  await openScreen(second, "kitchen");
  await second.getByRole("button", { name: "Recuperar" }).tap();
  const recalled = second.getByRole("dialog").getByRole("button");
  await expect(recalled.filter({ hasText: "1 Churrasco, 2 Flan de coco" })).toBeVisible();
  await recalled.filter({ hasText: "1 Sancocho" }).tap();
  await expect(cardOn(first, "Terraza 3").getByText("Ya no está en el pase")).toBeVisible();
  await expect(cardOn(third, "Terraza 3").getByText("Ya no está en el pase")).toBeVisible();
});

test("the pass marks a missing dish that nobody at its station has seen [TOUCH-735]", async ({ open }) => {
  const pass = await open({ name: "pase-sin-ver", kind: "tablet" });
  await openScreen(pass, "expo");
  await send("P-735", terrace[0], ["a", "mojito", 1], ["b", "chivo", 1]);
  const card = cardOn(pass, "Terraza 1").filter({ hasText: "Chivo guisado" });
  await expect(card.getByText("Falta · Bar · sin ver", { exact: true })).toBeVisible();
  const bar = waiter.tickets().find(({ posReference, stationId }) => posReference === "P-735" && stationId === "bar");
  waiter.kitchenSeen(bar?.id ?? "", "bar");
  await expect(card.getByText("Falta · Bar", { exact: true })).toBeVisible();
  await expect(card.getByText("Falta · Cocina · sin ver", { exact: true })).toBeVisible();
});

test("the pass shows the notes and allergies of a dish [TOUCH-434]", async ({ open }) => {
  const pass = await open({ name: "pase-notas", kind: "tablet" });
  await openScreen(pass, "expo");
  await send("P-434", terrace[3], ["a", "churrasco", 1, { note: "Sin sal", allergy: "Maní" }]);
  const ticket = waiter.tickets().find(({ posReference }) => posReference === "P-434");
  waiter.bump({ kitchenTicketId: ticket?.id ?? "" }, "a", 1);
  const card = cardOn(pass, "Terraza 4");
  await expect(card.getByText("«Sin sal»")).toBeVisible();
  await expect(card.getByText("ALERGIA: Maní")).toBeVisible();
});

test("a dish voided after cooking is struck through at the pass, and does not count as ready [TOUCH-733]", async ({
  open,
}) => {
  const pass = await open({ name: "pase-anulado", kind: "tablet" });
  const floor = await open({ name: "salon-anulado", kind: "tablet" });
  await openScreen(pass, "expo");
  await send("P-733", terrace[1], ["a", "churrasco", 2], ["b", "chillo", 1]);
  for (const { id, quantity } of waiter.order("P-733")?.snapshot.lines ?? []) waiter.bump("P-733", id, quantity);
  const card = cardOn(pass, "Terraza 2").filter({ hasText: "Churrasco" });
  await expect(card.getByText("2 Churrasco")).toBeVisible();
  await floor.getByRole("tab", { name: "Terraza" }).tap();
  const table = floor.getByRole("link", { name: /^Terraza 2 / });
  await expect(table).toContainText("3 listos");
  waiter.voidLine("P-733", "a", { quantity: 1, reason: "se equivocó" });
  waiter.voidLine("P-733", "b", { reason: "se equivocó" });
  await expect(card.getByRole("button", { name: /^Llevado: 1 Churrasco.* 1 anulado$/ })).toBeVisible();
  await expect(card.locator("s")).toHaveText("1 Chillo frito");
  await expect(table).toContainText("1 listo");
  await card.getByRole("button", { name: "Llevado", exact: true }).tap();
  await expect(card.getByText("Churrasco")).toHaveCount(0);
});

test("the pass names the person who serves a check after it was handed over [TOUCH-898]", async ({ open }) => {
  const pass = await open({ name: "pase-turno", kind: "tablet" });
  await openScreen(pass, "expo");
  const indoors = 31;
  await send("P-TURN", indoors, ["a", "sancocho"], ["b", "flan"]);
  const card = cardOn(pass, "Mesa 4");
  await expect(card).toBeVisible();
  waiter.handOver(["P-TURN"], "Luis de la noche");
  await waiter.idle();
  await expect(card.locator(".ticket-whom")).toContainText("Luis de la noche");
});

test("a waiter's device vibrates once when a dish of theirs becomes ready, unless switched off [TOUCH-949]", async ({
  open,
}) => {
  const page = await open({ name: "bolsillo", before: countVibrations });
  const connection = await deviceLine(page);
  const vibrations = () => page.evaluate(() => (window as unknown as VibrationWindow).vibrations);
  const sendFor = async (posReference: string, staffName: string) => {
    const dishes = [line("a", "mofongo", 2), line("b", "flan")];
    waiter.openOrder({ ...newOrder(posReference, dishes, MESA_1), staffName }, { additionalCheck: true });
    waiter.sendToKitchen(posReference);
    await waiter.idle();
  };
  const ready = async (posReference: string, lineId: string, quantity: number) => {
    waiter.bump(posReference, lineId, quantity);
    await waiter.idle();
  };
  await sendFor("B-1", "Wendy Almonte");
  await sendFor("B-2", "Otro Mesero");
  await page.getByRole("link", { name: "Para llevar" }).tap();
  await ready("B-2", "a", 2);
  await ready("B-1", "a", 1);
  await ready("B-1", "a", 2);
  await expect.poll(vibrations).toBe(1);
  // A ready dish stays ready on the check it moves to, and a check that is handed over keeps its ready dishes.
  waiter.moveLines("B-1", "B-4", [{ lineId: "a", quantity: 2 }]);
  waiter.handOver(["B-2"], "Wendy Almonte");
  await waiter.idle();
  await ready("B-2", "b", 1);
  await expect.poll(vibrations).toBe(2);
  await connection.cut();
  await ready("B-1", "b", 1);
  await sendFor("B-3", "Wendy Almonte");
  await ready("B-3", "a", 2);
  await connection.restore();
  await expect.poll(vibrations).toBe(3);
  await page.getByRole("button", { name: "Trabaja Wendy Almonte" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Más" }).tap();
  await page.getByRole("button", { name: "Avisarme cuando mis platos estén listos" }).tap();
  await ready("B-3", "b", 1);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Salón" }).tap();
  await expect(page.getByRole("link", { name: /^Mesa 1 9 listos/ })).toBeVisible();
  expect(await vibrations()).toBe(3);
});

type VibrationWindow = Window & { vibrations: number };

function countVibrations(): void {
  const counted = window as unknown as VibrationWindow;
  counted.vibrations = 0;
  navigator.vibrate = () => (counted.vibrations += 1) > 0;
}
