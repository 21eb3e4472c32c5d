import type { Page } from "@playwright/test";
import { lineOf, newOrder } from "../../support/orders.ts";
import { online } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const go = (page: Page, address: string) => page.evaluate((hash) => (location.hash = hash), `#${address}`);

/** Returns words or sums in these parts that are broken over two lines or overflow their part or the window. */
function brokenIn(page: Page, parts: string): Promise<string[]> {
  return page.locator(parts).evaluateAll((all) => {
    const broken: string[] = [];
    for (const part of all) {
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (const { index, 0: word } of (text.textContent ?? "").matchAll(/[^\s·]{3,}/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          const boxes = [...range.getClientRects()];
          const right = Math.min(innerWidth, part.getBoundingClientRect().right);
          if (new Set(boxes.map(({ top }) => top)).size > 1 || boxes.some((box) => box.right > right))
            broken.push(word);
        }
      }
      if (part.scrollWidth > part.clientWidth) broken.push(part.textContent);
    }
    return broken;
  });
}

const screens = [
  { width: 360, percent: 100 },
  { width: 360, percent: 130 },
  { width: 390, percent: 130 },
  // The width of a phone of 390 px whose browser zooms to 130 %.
  { width: 300, percent: 100 },
  { width: 1024, percent: 100 },
];
for (const { width, percent } of screens) {
  test(`no word, sum or key is cut on a screen of ${width} px with letters of ${percent} % [TOUCH-496]`, async ({
    open,
    restaurant,
  }) => {
    const name = `LETRAS-${width}-${percent}`;
    const other = await restaurant.terminal(`mesero-${name}`);
    await online(other);
    const order = newOrder(name, [lineOf("uno", 1_441, { name: "Quipes" })]);
    other.openOrder({ ...order, orderType: "takeout", tableId: null });
    await other.idle();
    const page = await open({ name: `letras-${width}-${percent}`, login: "cashier" });
    await page.setViewportSize({ width, height: 740 });
    await page.addStyleTag({ content: `:root, body { font-size: ${(16 * percent) / 100}px !important; }` });
    await expect(page.getByRole("button", { name: "Trabaja Carlos Jiménez" })).toBeVisible();
    expect.soft(await brokenIn(page, ".shell-nav")).toEqual([]);

    await go(page, "/takeaway");
    await expect(page.locator(".table-tile")).not.toHaveCount(0);
    expect.soft(await brokenIn(page, ".table-tile .table-facts")).toEqual([]);

    await go(page, "/table/21");
    await page.getByRole("tab", { name: "Entradas" }).tap();
    await page.getByRole("button", { name: /^Quipes de res/ }).tap();
    await expect(page.getByRole("button", { name: /^Enviar/ })).toBeVisible();
    expect.soft(await brokenIn(page, ".tile-name, .tile-price, .order-total span, .send span")).toEqual([]);

    await go(page, `/pay/${encodeURIComponent(name)}`);
    await expect(page.getByRole("button", { name: "Exacto" })).toBeVisible();
    const keys = ".pay-row > *, .pay-grid .act, .pay-methods .act";
    expect.soft(await brokenIn(page, keys)).toEqual([]);
    const sizes = await page.locator(".pay-acts .act").evaluateAll((all) => all.map((each) => each.clientHeight));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(44);

    other.tender(name, { methodId: 1, amount: 200 });
    await other.idle();
    await go(page, `/check/${encodeURIComponent(name)}`);
    await expect(page.getByRole("button", { name: /^Enviar/ })).toBeVisible();
    expect.soft(await brokenIn(page, ".order-bar .act, .order-bar .act span")).toEqual([]);

    await go(page, "/takeaway/new");
    await page.getByRole("tab", { name: "Entradas" }).tap();
    const tile = page.getByRole("button", { name: /^Quipes de res/ });
    for (let count = 1; count <= 12; count += 1) await tile.tap();
    await expect(page.getByRole("button", { name: /^Enviar .* 12$/ })).toBeVisible();
    expect.soft(await brokenIn(page, ".order-bar .act, .order-bar .act span")).toEqual([]);
    await page.getByRole("button", { name: "Cobrar" }).tap();
    await page.getByRole("button", { name: "Exacto" }).tap();
    await expect(page.getByRole("button", { name: "Nueva para llevar" })).toBeVisible();
    expect.soft(await brokenIn(page, ".paid-acts .act")).toEqual([]);
  });
}

for (const [width, height] of [
  [390, 844],
  [820, 1180],
  [1024, 768],
  [1280, 800],
] as const) {
  test(`with letters of 200 % nothing is cut, because text beside a text goes below it (${width} px) [TOUCH-607]`, async ({
    open,
    restaurant,
  }) => {
    const name = `DOBLE-${width}`;
    const other = await restaurant.terminal(`cajera-${name}`, { login: "cashier" });
    await online(other);
    const lines = [lineOf("uno", 12_441, { name: "Mofongo de camarones", note: "sin ajo" })];
    other.openOrder({ ...newOrder(name, lines), orderType: "takeout", tableId: null, customerName: "Altagracia" });
    const paid = newOrder(`${name}-COBRADA`, lines);
    other.openOrder({ ...paid, customerName: "Altagracia Rosario" });
    other.pay(paid.posReference, { payments: [{ methodId: 1, amount: 12_441 }] });
    await other.putWaiting(name, {
      guestName: "Familia Peralta",
      partySize: 4,
      phone: "809-555-0188",
      quotedMinutes: 20,
      status: "waiting",
    });
    await other.idle();
    const page = await open({ name: `letras-dobles-${width}`, login: "cashier" });
    await page.setViewportSize({ width, height });
    await page.addStyleTag({ content: ":root, body { font-size: 32px !important; }" });
    await go(page, `/pay/${name}`);
    const exact = page.getByRole("button", { name: "Exacto" });
    await expect(exact).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Trabaja Carlos Jiménez" })).toBeVisible();
    expect.soft(await brokenIn(page, ".shell-nav, .shell-place, .person-chip")).toEqual([]);
    await expect(page.locator(".pay-amount")).toBeInViewport({ ratio: 1 });
    const onPay = ".pay-head > *, .pay-due > *, .pay-state > .mark, .pay-acts .act, .pay-row > span, .pay-tip-note";
    expect.soft(await brokenIn(page, onPay)).toEqual([]);
    if (width === 390) {
      await page.getByRole("button", { name: "Tarjeta" }).tap({ trial: true });
      await page.getByRole("button", { name: "RD$2,000" }).tap();
      await expect(exact).toBeInViewport({ ratio: 1 });
      await page.getByRole("button", { name: "Devolver" }).scrollIntoViewIfNeeded();
      expect.soft(await brokenIn(page, ".tender, .tender > .act")).toEqual([]);
    }
    await page.getByRole("button", { name: "Pre-cuenta" }).tap();
    await expect(page.getByRole("article", { name: "Pre-cuenta" })).toBeVisible();
    expect.soft(await brokenIn(page, ".receipt, .receipt p, .receipt span")).toEqual([]);
    await go(page, `/check/${name}`);
    const total = page.locator(".order-total");
    if (width === 390) await total.tap();
    await expect(page.locator(".line-dish")).toBeVisible();
    const checkTexts = ".line > *, .check-sums > div > *, .check-title, .check-name, .check-about";
    expect.soft(await brokenIn(page, checkTexts)).toEqual([]);
    if (width > 1000) expect.soft(await brokenIn(page, ".tile-name, .tile-price, .tiles-categories .act")).toEqual([]);
    if (width === 390) await page.keyboard.press("Escape");
    await go(page, `/pay/${paid.posReference}`);
    await expect(page.locator(".paid-head h1")).toBeVisible();
    expect.soft(await brokenIn(page, ".paid-head h1, .receipt p, .receipt span")).toEqual([]);
    await go(page, "/recent");
    await expect(page.locator(".recent-row").filter({ hasText: "Altagracia Rosario" }).first()).toBeVisible();
    expect.soft(await brokenIn(page, ".recent-row > *")).toEqual([]);
    await go(page, "/host");
    await expect(page.locator(".booking").first()).toBeVisible();
    expect(await brokenIn(page, ".booking > *")).toEqual([]);
  });
}

test("on a tablet no dish of a check beside the tiles is cut, and lines stay in sight in a split in four [TOUCH-496] [TOUCH-524]", async ({
  open,
  restaurant,
}) => {
  const other = await restaurant.terminal("mesero-letras-dividir");
  await online(other);
  const dishes = Array.from({ length: 8 }, (_, index) => lineOf(`plato-${index}`, 150, { name: "Yaniqueques" }));
  const order = newOrder("LETRAS-DIVIDIR", dishes);
  other.openOrder(order);
  other.sendToKitchen(order.posReference);
  await other.idle();
  const [ticket] = other.tickets().filter(({ posReference }) => posReference === order.posReference);
  if (ticket === undefined) throw new Error("the kitchen has nothing");
  other.kitchenSeen(ticket.id, ticket.stationId ?? "cocina");
  await other.idle();
  const page = await open({ name: "letras-dividir", login: "cashier", kind: "tablet" });
  await page.setViewportSize({ width: 1024, height: 768 });
  await go(page, `/check/${order.posReference}`);
  await expect(page.getByText("Visto en cocina · 0 min").first()).toBeVisible();
  expect(await brokenIn(page, ".check-lines .line-dish")).toEqual([]);

  await page.getByRole("button", { name: "Dividir" }).tap();
  const sheet = page.getByRole("dialog");
  const done = sheet.getByRole("button", { name: /^Hacer/ });
  await expect(done).toBeDisabled();
  // Lines that scroll behind the button must not show through.
  await expect(done).toHaveCSS("opacity", "1");
  for (let part = 3; part <= 4; part += 1) await sheet.getByRole("button", { name: "Una parte más" }).tap();
  const third = await sheet
    .getByRole("button", { name: /^1 Yaniqueques/ })
    .nth(2)
    .boundingBox();
  expect((third?.y ?? Infinity) + (third?.height ?? 0)).toBeLessThan((await done.boundingBox())?.y ?? 0);
  const shares = await sheet.getByRole("button", { name: /^÷ 4: Yaniqueques/ }).evaluateAll((all) =>
    all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    }),
  );
  expect(shares).toEqual(Array.from(dishes, () => 1));
});
