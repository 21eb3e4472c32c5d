import AxeBuilder from "@axe-core/playwright";
import type { Page, WebSocketRoute } from "@playwright/test";
import type { Terminal } from "@comanda/terminal";
import { line } from "../../screens/support/menu.ts";
import { newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { deviceLine, routeSockets } from "../support/device-line.ts";
import { expect, terminalUrl, test } from "../support/touch-test.ts";

/** Record ids of Terraza 1 to 4. */
const terrace = [61, 62, 63, 64] as const;
let checks = 0;
let waiter: Terminal;

test.beforeAll(async ({ restaurant }) => {
  waiter = await restaurant.terminal("mesero-cocina");
  await online(waiter);
});

/** Opens a check on a table, or adds to an open one, and sends it to the kitchen; returns its reference. */
async function send(tableId: number, dishes: Parameters<typeof line>[], reference?: string): Promise<string> {
  const posReference = reference ?? `K-${(checks += 1)}`;
  const lines = dishes.map((dish) => line(...dish));
  if (waiter.order(posReference) === undefined) {
    waiter.openOrder(newOrder(posReference, lines, tableId), { additionalCheck: true });
  } else {
    waiter.editOrder(posReference, (content) => ({
      ...content,
      ...newOrder(posReference, [...(content.lines ?? []), ...lines], tableId),
    }));
  }
  waiter.sendToKitchen(posReference);
  await waiter.idle();
  return posReference;
}

const ticketsOf = (posReference: string) =>
  [...waiter.tickets(), ...waiter.recentTickets()].filter((ticket) => ticket.posReference === posReference);
const ticketOn = (page: Page, table: string) => page.getByRole("article", { name: table, exact: true });
const kitchenOf = async (page: Page, screen: "kitchen" | "expo" = "kitchen") => {
  await page.evaluate((hash) => (location.hash = hash), `#/${screen}`);
  await expect(page.locator(".kitchen")).toBeVisible();
};

test("tickets appear live, are marked as seen by a device on shift, and can be bumped and recalled [TOUCH-102] [TOUCH-103]", async ({
  open,
}) => {
  const page = await open({ name: "cocina-1", kind: "pc" });
  await kitchenOf(page);
  const posReference = await send(terrace[0], [
    ["a", "mofongo", 2, { modifiers: ["Sin ajo"], note: "alergia", seat: 2 }],
  ]);
  const ticket = ticketOn(page, "Terraza 1");
  await expect(ticket.getByText("Sin ajo")).toBeVisible();
  await expect(ticket.getByText("«alergia»")).toBeVisible();
  await expect(ticket.getByText("asiento 2")).toBeVisible();
  await expect(ticket.getByText("Nueva")).toBeVisible();
  // Shown long enough to count as seen, but no shift has been started on this screen.
  await expect(ticket.getByText(/^0:(0[3-9]|[1-5]\d)$/)).toBeVisible();
  expect(ticketsOf(posReference)).toMatchObject([{ seen: [] }]);

  await page.getByRole("button", { name: /^Empezar turno/ }).tap();
  await expect.poll(() => ticketsOf(posReference)[0]?.seen).toMatchObject([{ stationId: "cocina" }]);
  await expect(ticket.getByText("Nueva")).toHaveCount(0);

  await ticket.getByRole("button", { name: "2 Mofongo de camarones: por partes" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "1", exact: true }).tap();
  await expect.poll(() => waiter.order(posReference)?.snapshot.lines[0]).toMatchObject({ preparedQuantity: 1 });
  await expect(ticket.getByText("1 de 2 listos")).toBeVisible();

  const readyButton = ticket.getByRole("button", { name: /^Listo: 2 Mofongo de camarones/ });
  const box = await readyButton.boundingBox();
  expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(96);
  await readyButton.tap();
  await expect.poll(() => ticketsOf(posReference)).toMatchObject([{ isOver: true, lines: [{ state: "ready" }] }]);
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(() => ticketsOf(posReference)).toMatchObject([{ isOver: false, lines: [{ preparedQuantity: 1 }] }]);
  await ticket.getByRole("button", { name: "Todo listo" }).tap();
  await expect(ticket.getByRole("button", { name: "Traer de vuelta" })).toBeVisible();
  await expect(ticket).toHaveCount(0);

  await page.getByRole("button", { name: "Recuperar" }).tap();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /^Terraza 1/ })
    .tap();
  await expect(ticket.getByRole("button", { name: /^Listo: 2 Mofongo de camarones/ })).toBeVisible();
  await ticket.getByRole("button", { name: "Todo listo" }).tap();
  await expect.poll(() => ticketsOf(posReference)).toMatchObject([{ isOver: true }]);
});

test("a ticket that others finished can be brought back, and a clock set back does not keep it on screen [TOUCH-101]", async ({
  open,
}) => {
  const page = await open({ name: "cocina-5", kind: "pc" });
  await kitchenOf(page);
  const posReference = await send(terrace[1], [["a", "churrasco", 1]]);
  const ticket = ticketOn(page, "Terraza 2").filter({ hasText: "Churrasco" });
  const finished = ticketOn(page, "Terraza 2").filter({ has: page.getByRole("button", { name: "Traer de vuelta" }) });
  await expect(ticket).toBeVisible();
  waiter.bump(posReference, "a", 1);
  await finished.getByRole("button", { name: "Traer de vuelta" }).tap();
  await expect.poll(() => ticketsOf(posReference)).toMatchObject([{ isOver: false, lines: [{ preparedQuantity: 0 }] }]);
  await ticket.getByRole("button", { name: "Todo listo" }).tap();
  await expect(finished).toBeVisible();
  await page.evaluate(() => {
    const real = Date.now;
    Date.now = () => real() - 3_600_000;
  });
  await expect(finished).toHaveCount(0);
});

test("each station shows its own dishes, and a cancelled dish stays until it is confirmed with a tap [TOUCH-100] [TOUCH-104] [TOUCH-109]", async ({
  open,
}) => {
  const page = await open({ name: "bar-1", kind: "tablet" });
  await kitchenOf(page);
  await page.getByRole("button", { name: /^Empezar turno/ }).tap();
  await page.getByRole("button", { name: "Bar", exact: true }).tap();
  const posReference = await send(terrace[1], [
    ["a", "mojito", 3],
    ["b", "chivo", 1],
  ]);
  const ticket = ticketOn(page, "Terraza 2");
  await expect(ticket.getByText("Mojito")).toBeVisible();
  await expect(ticket.getByText("Chivo guisado")).toHaveCount(0);
  await send(terrace[1], [["c", "mojito", 1]], posReference);
  await expect(ticket).toHaveCount(2);
  await expect(ticket.nth(0).getByText("ADICIONAL")).toHaveCount(0);
  await expect(ticket.nth(1).getByText("ADICIONAL")).toBeVisible();

  const first = () =>
    ticketsOf(posReference).filter(({ stationId, lines }) => stationId === "bar" && lines[0]?.quantity === 3);
  await expect.poll(() => first()[0]?.seen).toMatchObject([{ stationId: "bar" }]);
  waiter.voidLine(posReference, "a", { reason: "se equivocó" });
  await expect(ticket.nth(0).locator("s")).toHaveText("Mojito");
  await expect(ticket.nth(0).getByText("Anulación sin ver")).toBeVisible();
  await page.reload();
  await expect(ticket.nth(0).getByText("Anulación sin ver")).toBeVisible();
  await ticket.nth(0).getByRole("button", { name: "Visto" }).tap();
  await expect.poll(() => first()).toMatchObject([{ isOver: true, lines: [{ state: "cancelled", isSeen: true }] }]);
});

test("a cancelled dish shows its modifiers and seat, and leaves nothing to recall [TOUCH-104]", async ({ open }) => {
  const page = await open({ name: "parrilla-1", kind: "tablet" });
  await kitchenOf(page);
  await page.getByRole("button", { name: /^Empezar turno/ }).tap();
  const posReference = await send(terrace[3], [
    ["a", "churrasco", 1, { modifiers: ["Término medio"], seat: 1 }],
    ["b", "churrasco", 1, { modifiers: ["Bien cocido"], seat: 2 }],
  ]);
  const ticket = ticketOn(page, "Terraza 4").filter({ hasText: "Churrasco" });
  const ready = await ticket.getByRole("button", { name: "Todo listo" }).boundingBox();
  waiter.voidLine(posReference, "b", { reason: "se equivocó" });
  const cancelledItems = ticket.getByRole("listitem").filter({ has: page.locator("s") });
  await expect(cancelledItems).toContainText("Bien cocido");
  await expect(cancelledItems).toContainText("asiento 2");
  // The new button must not appear where a finger may be about to tap the former one.
  const expectButtonBelow = async () => {
    const seenButton = await ticket.getByRole("button", { name: "Visto" }).boundingBox();
    expect(seenButton?.y).toBeGreaterThan((ready?.y ?? NaN) + (ready?.height ?? NaN));
  };
  await expectButtonBelow();

  waiter.voidLine(posReference, "a", { reason: "se fueron" });
  await expect(cancelledItems).toHaveCount(2);
  await expectButtonBelow();
  await ticket.getByRole("button", { name: "Visto" }).tap();
  const finished = ticketOn(page, "Terraza 4").and(page.locator("[data-gone]"));
  await expect(finished).toContainText("Anulado");
  await expect(finished).not.toContainText("Anulación sin ver");
  await expect(finished.getByRole("button")).toHaveCount(0);
  await page.getByRole("button", { name: "Recuperar" }).tap();
  await expect(page.getByRole("dialog").getByRole("button", { name: /^Terraza 4/ })).toHaveCount(0);
});

test("a dish cancelled while the device was offline needs a tap, although its ticket was seen there [TOUCH-104]", async ({
  open,
}) => {
  const page = await open({ name: "parrilla-2", kind: "tablet" });
  const connection = await deviceLine(page);
  await kitchenOf(page);
  const posReference = await send(terrace[0], [
    ["a", "churrasco", 1],
    ["b", "sancocho", 2],
  ]);
  const ticket = ticketOn(page, "Terraza 1").filter({ hasText: "Churrasco" });
  await expect(ticket.getByText("Nueva")).toBeVisible();
  await connection.cut();
  await page.getByRole("button", { name: /^Empezar turno/ }).tap();
  await expect(ticket.getByText("Nueva")).toHaveCount(0);
  waiter.voidLine(posReference, "a", { reason: "se equivocó" });
  waiter.voidLine(posReference, "b", { quantity: 1, reason: "se equivocó" });
  await waiter.idle();
  await connection.restore();
  await expect.poll(() => ticketsOf(posReference)[0]?.seen).toHaveLength(1);
  await expect(ticket.getByText("Anulación sin ver")).toBeVisible();
  await expect(ticket.locator("s")).toHaveText("Churrasco");
  await ticket.getByRole("button", { name: "Visto" }).tap();
  const expected = [{ isSeen: true }, { isSeen: true, cancelledQuantity: 1 }];
  await expect.poll(() => ticketsOf(posReference)[0]?.lines).toMatchObject(expected);
  await ticket.getByRole("button", { name: "Todo listo" }).tap();
  await expect.poll(() => ticketsOf(posReference)).toMatchObject([{ isOver: true }]);
});

test("a part marked ready on an offline device does not reopen a dish that others finished [KIT-312]", async ({
  open,
}) => {
  const page = await open({ name: "parrilla-3", kind: "tablet" });
  const itsLine = await deviceLine(page);
  await kitchenOf(page);
  const posReference = await send(terrace[2], [["a", "chillo", 2]]);
  const ticket = ticketOn(page, "Terraza 3").filter({ hasText: "Chillo frito" });
  await expect(ticket).toBeVisible();
  await itsLine.cut();
  await ticket.getByRole("button", { name: "2 Chillo frito: por partes" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "1", exact: true }).tap();
  await expect(ticket.getByText("1 de 2 listos")).toBeVisible();
  waiter.bump(posReference, "a", 2);
  await waiter.idle();
  await itsLine.restore();
  await expect(ticket).toHaveCount(0);
  expect(ticketsOf(posReference)).toMatchObject([{ isOver: true, lines: [{ preparedQuantity: 2 }] }]);
});

test("a bump undone on an offline device does not undo what others finished [CLIENT-606]", async ({ open }) => {
  const page = await open({ name: "parrilla-4", kind: "tablet" });
  const itsLine = await deviceLine(page);
  await kitchenOf(page);
  const posReference = await send(terrace[1], [
    ["a", "churrasco", 2],
    ["b", "flan", 1],
  ]);
  const ticket = ticketOn(page, "Terraza 2").filter({ hasText: "Churrasco" });
  await expect(ticket).toBeVisible();
  await itsLine.cut();
  await expect(page.getByText(/^Sin noticias/)).toBeVisible();
  await ticket.getByRole("button", { name: /^Listo: 2/ }).tap();
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect(ticket.getByRole("button", { name: /^Listo: 2/ })).toBeVisible();
  waiter.bump(posReference, "a", 2);
  await waiter.idle();
  await itsLine.restore();
  await expect(ticket.getByRole("button", { name: /^Todavía no: 2/ })).toBeVisible();
  await ticket.getByRole("button", { name: /^Listo: 1/ }).tap();
  await expect.poll(() => ticketsOf(posReference)[0]?.isOver).toBe(true);
  expect(ticketsOf(posReference)).toMatchObject([{ lines: [{ preparedQuantity: 2 }, { preparedQuantity: 1 }] }]);
});

test("the keys of a bump bar select, bump and recall, and a tap on a sum marks its tickets [TOUCH-107] [TOUCH-108]", async ({
  open,
}) => {
  const page = await open({ name: "cocina-2", kind: "pc" });
  await kitchenOf(page);
  await page.getByRole("button", { name: "Cocina", exact: true }).tap();
  const one = await send(terrace[2], [["a", "flan", 2]]);
  const other = await send(terrace[3], [
    ["a", "flan", 1],
    ["b", "sancocho", 1],
  ]);
  await expect(ticketOn(page, "Terraza 4")).toBeVisible();
  const positionOf = async (table: string) => {
    const names = await page
      .getByRole("article")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    return String(names.indexOf(table) + 1);
  };
  await page.getByRole("button", { name: /^3\s*Flan de coco/ }).tap();
  await expect(ticketOn(page, "Terraza 3")).toHaveAttribute("data-emphasis", "marked");

  await page.keyboard.press(await positionOf("Terraza 4"));
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => ticketsOf(other))
    .toMatchObject([{ lines: [{ preparedQuantity: 0 }, { preparedQuantity: 1 }] }]);
  await send(terrace[0], [["a", "flan", 1]]);
  await expect(ticketOn(page, "Terraza 1").filter({ hasText: "Flan" })).toHaveAttribute("data-emphasis", "marked");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect.poll(() => ticketsOf(one)).toMatchObject([{ isOver: true }]);
  await page.keyboard.press("Backspace");
  await expect.poll(() => ticketsOf(one)).toMatchObject([{ isOver: false, lines: [{ preparedQuantity: 0 }] }]);
});

test("the pass shows what is ready and what is missing, and a dish marked as taken is served [TOUCH-111]", async ({
  open,
}) => {
  const page = await open({ name: "pase-1", kind: "phone" });
  await kitchenOf(page, "expo");
  const posReference = await send(terrace[3], [
    ["a", "churrasco", 1],
    ["b", "mojito", 1],
  ]);
  waiter.bump(posReference, "b", 1);
  // The table may have another check at the pass.
  const card = ticketOn(page, "Terraza 4").filter({ hasText: "Churrasco" });
  await expect(card.getByText("1 Mojito")).toBeVisible();
  await expect(card.getByText("Falta · Cocina").first()).toBeVisible();
  await expect(card.getByText("Incompleta")).toBeVisible();
  await card.getByRole("button", { name: /^Llevado: 1 Mojito/ }).tap();
  const drink = () => ticketsOf(posReference).find(({ stationId }) => stationId === "bar")?.lines[0]?.state;
  await expect.poll(drink).toBe("served");
  await page.getByRole("button", { name: "Deshacer" }).tap();
  await expect.poll(drink).toBe("ready");
  for (const { id, lines } of waiter.tickets().filter(({ tableId }) => tableId === terrace[3])) {
    for (const { lineId, quantity } of lines) waiter.bump({ kitchenTicketId: id }, lineId, quantity);
  }
  await expect(card.getByText("Completa", { exact: true })).toBeVisible();
  await card.getByRole("button", { name: "Llevado", exact: true }).tap();
  await expect.poll(drink).toBe("served");
});

test("a silent kitchen page says so, a touch enables its sound, and a test plays it [TOUCH-105]", async ({
  open,
  restaurant,
}) => {
  const page = await open({ name: "cocina-3", kind: "phone" });
  // As after a restart of the device. Playwright's checks count as touches, so the page itself logs that it is silent.
  await page.addInitScript(() => {
    if (location.hash !== "#/kitchen") return;
    const device = { stationId: null, isOnShift: true, isWall: false };
    localStorage.setItem("comanda-terminal-kitchen", JSON.stringify(device));
    let looks = 0;
    const timer = setInterval(() => {
      const isSilent = document.querySelector(".kitchen-bar[data-tone=bad]") !== null;
      looks = isSilent ? looks + 1 : 0;
      if (looks < 15) return;
      clearInterval(timer);
      // oxlint-disable-next-line no-console -- the one way to tell the test that counts as no touch
      console.log("the page is silent");
    }, 100);
  });
  const silent = page.waitForEvent("console", (message) => message.text() === "the page is silent");
  await page.goto(terminalUrl(restaurant, "/terminal/?again#/kitchen"));
  await silent;
  const bar = page.getByRole("button", { name: "Sonido apagado: toque aquí" });
  await bar.tap();
  await expect(bar).toHaveCount(0);
  await page.getByRole("button", { name: "Ajustes" }).tap();
  await page.getByRole("button", { name: "Probar el sonido" }).tap();
  await expect(page.getByText(/^Se tocó el sonido/)).toBeVisible();
});

test("a bar shows for how long the hub was not heard, and tickets can still be bumped [TOUCH-106]", async ({
  open,
}) => {
  const page = await open({ name: "cocina-4", kind: "pc" });
  let isCut = false;
  const sockets: WebSocketRoute[] = [];
  await routeSockets(page, (socket) => {
    sockets.push(socket);
    if (!isCut) socket.connectToServer();
  });
  await page.reload();
  await kitchenOf(page);
  const posReference = await send(terrace[2], [["a", "chillo", 1]]);
  const ticket = ticketOn(page, "Terraza 3").last();
  await expect(ticket.getByText("Chillo frito")).toBeVisible();
  isCut = true;
  await sockets.at(-1)?.close();
  const bar = page.getByText(/^Sin noticias de la PC principal desde hace \d+ s$/);
  await expect(bar).toBeVisible();
  expect((await page.locator("output.kitchen-bar").boundingBox())?.width).toBe(page.viewportSize()?.width);
  await ticket.getByRole("button", { name: "Todo listo" }).tap();
  await expect(ticket.getByRole("button", { name: "Traer de vuelta" })).toBeVisible();
  isCut = false;
  await sockets.at(-1)?.close();
  await expect.poll(() => ticketsOf(posReference)).toMatchObject([{ isOver: true }]);
  await expect(bar).toHaveCount(0);
});

for (const theme of ["light", "dark"] as const) {
  test(`every text of kitchen and pass has a contrast of 7:1 (${theme}) [TOUCH-110]`, async ({ open }) => {
    const page = await open({ name: `cocina-${theme}`, kind: "tablet" });
    await page.emulateMedia({ colorScheme: theme });
    const posReference = await send(terrace[0], [
      ["a", "mofongo", 3, { modifiers: ["Sin ajo"], note: "alergia" }],
      ["b", "flan", 1],
      ["c", "chivo", 2],
    ]);
    waiter.bump(posReference, "a", 1);
    waiter.bump(posReference, "c", 2);
    waiter.voidLine(posReference, "b", { reason: "prueba" });
    waiter.editOrder(posReference, (content) => ({ ...content, notes: "Cumpleaños" }));
    await kitchenOf(page);
    await expect(ticketOn(page, "Terraza 1").last().getByText("Cumpleaños")).toBeVisible();
    await expect(ticketOn(page, "Terraza 1").last().locator("s")).toBeVisible();
    expect(await faintTexts(page)).toEqual([]);
    await kitchenOf(page, "expo");
    await expect(page.getByText("Incompleta").first()).toBeVisible();
    expect(await faintTexts(page)).toEqual([]);
    waiter.discardOrder(posReference);
    await waiter.idle();
    for (const { id } of ticketsOf(posReference)) waiter.kitchenSeen(id, "cocina");
    await waiter.idle();
  });
}

/** Returns texts of the kitchen with a contrast below 7:1. */
async function faintTexts(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .include(".kitchen")
    .withRules(["color-contrast-enhanced"])
    .analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`));
}
