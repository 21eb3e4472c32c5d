import type { Page } from "@playwright/test";
import { test } from "../support/dinner-test.ts";
import { allTouchSheets } from "../support/all-touch-sheets.ts";
import { devices, expect } from "../support/touch-test.ts";

async function goTo(page: Page, address: string, sign: string): Promise<void> {
  await page.evaluate((hash) => (location.hash = hash), `#${address}`);
  await page.getByRole("main").getByText(sign).first().waitFor();
}

for (const kind of ["phone", "pc"] as const) {
  test(`every sheet closes by Escape (${kind}) [TOUCH-378]`, async ({ open }) => {
    test.setTimeout(240_000);
    const page = await open({ name: `escape-${kind}`, kind, managerWasHere: true });
    const sheets = page.getByRole("dialog");
    const closed: string[] = [];
    for (const { name, address, sign, act } of allTouchSheets) {
      await test.step(name, async () => {
        await goTo(page, address, sign);
        await act?.(page);
        // At this size some of these views are part of the screen and have no sheet.
        for (let count = await sheets.count(); count > 0; count -= 1) {
          await page.keyboard.press("Escape");
          await expect(sheets, name).toHaveCount(count - 1);
          closed.push(name);
        }
      });
    }
    expect(new Set(closed).size).toBeGreaterThanOrEqual(25);
  });

  test(`a notice covers none of the buttons that are needed next (${kind}) [TOUCH-379]`, async ({ open }) => {
    const page = await open({ name: `avisos-${kind}`, kind, managerWasHere: true });
    const notice = page.locator(".notice");
    /** Shows a notice for five seconds, as every undo does. */
    const showNotice = async (): Promise<void> => {
      await goTo(page, "/table/33", "Entradas");
      await page.getByRole("button", { name: "Agotado…" }).tap();
      await page.locator(".tile").filter({ hasText: "Yaniqueques" }).tap();
      await page
        .getByRole("button", { name: /^(Quedan 5|Ya hay de nuevo)$/ })
        .first()
        .tap();
      await expect(notice).toBeVisible();
    };
    await showNotice();
    const onOrder = ".send, .check-ways .act, .order-bar .act, [role=tab], .search input, .order-head .act";
    expect(await covered(page, onOrder)).toEqual([]);
    if (kind === "phone") {
      // The undo button is within the thumb's reach, and the way to the floor is not covered.
      const undo = await notice.getByRole("button", { name: "Deshacer" }).boundingBox();
      expect(undo?.y).toBeGreaterThan(devices.phone.height * 0.6);
      expect(await covered(page, ".shell-nav a:first-child, .tile")).toEqual([]);
      await page.getByRole("link", { name: "Salón" }).tap();
      await page.getByRole("tab", { name: "Terraza" }).waitFor();
      await expect(notice).toBeVisible();
      expect(await covered(page, ".table-tile, .floor button")).toEqual([]);
      await showNotice();
    }

    await goTo(page, "/pay/POS%2F2026%2F00012", "Efectivo");
    await expect(notice).toBeVisible();
    expect(await covered(page, ".pay-acts .act")).toEqual([]);
    await showNotice();
    await goTo(page, "/pay/POS%2F2026%2F00012", "Efectivo");
    await page.getByRole("button", { name: "Otro monto" }).tap();
    await expect(page.getByRole("dialog").locator(".notice")).toBeVisible();
    expect(await covered(page, "dialog button:not(.notice *)")).toEqual([]);
  });
}

for (const [width, free] of [
  [768, 2],
  [1280, 5],
  [1920, 6],
] as const) {
  test(`a notice covers no ticket, table or person's name, and only the last links (${width}) [TOUCH-379]`, async ({
    open,
  }) => {
    const page = await open({ name: `avisos-cocina-${width}`, kind: "pc", managerWasHere: true });
    await page.setViewportSize({ width, height: 800 });
    await bumpOne(page);
    const onBar = `.person-chip, .shell-nav > :nth-child(-n + ${free})`;
    expect(await covered(page, `.board, .kitchen-tools .act, .kitchen-bar, ${onBar}`)).toEqual([]);
    await goTo(page, "/floor", "Terraza");
    expect(await covered(page, `.table-tile, .floor button, ${onBar}`)).toEqual([]);
  });
}

test("with letters of 200 % a notice is shown whole on a tablet [TOUCH-379]", async ({ open }) => {
  const page = await open({ name: "avisos-letras", kind: "pc", managerWasHere: true });
  await page.setViewportSize({ width: 768, height: 1024 });
  await page.addStyleTag({ content: ":root, body { font-size: 32px !important; }" });
  await bumpOne(page);
  await expect(page.locator(".notice")).toBeInViewport({ ratio: 1 });
  expect(await covered(page, ".person-chip")).toEqual([]);
});

for (const kind of ["phone", "tablet", "pc"] as const) {
  test(`a tap on a notice's sentence dismisses it and presses nothing below it (${kind}) [TOUCH-379]`, async ({
    open,
  }) => {
    const page = await open({ name: `avisos-quitar-${kind}`, kind, managerWasHere: true });
    await bumpOne(page);
    const [pressed] = await pressedBy(page, () => page.locator(".notice > span").tap());
    await expect(page.locator(".notice")).toHaveCount(0, { timeout: 2_000 });
    expect(pressed).toBeUndefined();
    await expect(page).toHaveURL(/#\/kitchen$/);
    await expect(page.getByRole("button", { name: /^Trabaja/ })).toBeInViewport({ ratio: 1 });
  });
}

/** Returns the buttons and links that a tap has clicked. */
async function pressedBy(page: Page, tap: () => Promise<void>): Promise<string[]> {
  await page.evaluate(() => {
    const pressed: string[] = [];
    Object.assign(globalThis, { pressed });
    const note = ({ target }: Event) => {
      const key = target instanceof Element ? target.closest("button, a") : null;
      if (key !== null) pressed.push((key.getAttribute("aria-label") ?? key.textContent).trim());
    };
    addEventListener("click", note, { capture: true });
  });
  await tap();
  return page.evaluate(() => (globalThis as unknown as { pressed: string[] }).pressed);
}

/** Returns the names of these parts that the notice covers. */
function covered(page: Page, selector: string): Promise<string[]> {
  return page.evaluate((parts) => {
    const notice = document.querySelector(".notice")?.getBoundingClientRect();
    if (notice === undefined) throw new Error("no notice");
    const all = [...document.querySelectorAll(parts)].filter((part) => part.checkVisibility());
    if (all.length === 0) throw new Error("nothing to look at");
    return all.flatMap((part) => {
      const box = part.getBoundingClientRect();
      const isApart =
        box.right <= notice.left || box.left >= notice.right || box.bottom <= notice.top || box.top >= notice.bottom;
      return isApart ? [] : [(part.getAttribute("aria-label") ?? part.textContent).trim()];
    });
  }, selector);
}

/** Bumps a dish in the kitchen, which shows a notice with an undo button. */
async function bumpOne(page: Page): Promise<void> {
  await goTo(page, "/kitchen", "Todas");
  await page
    .getByRole("button", { name: /^Listo: / })
    .first()
    .click();
  await expect(page.locator(".notice").getByRole("button", { name: "Deshacer" })).toBeVisible();
}
