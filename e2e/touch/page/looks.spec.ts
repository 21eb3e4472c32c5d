import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { layoutSettled, show } from "../../screens/support/layout.ts";
import { seriousIssues } from "../../screens/support/screen-test.ts";
import { test } from "../support/dinner-test.ts";
import { allTouchScreens, practiceScreens } from "../support/all-touch-screens.ts";
import { allTouchSheets } from "../support/all-touch-sheets.ts";
import { deviceLine } from "../support/device-line.ts";
import { devices, expect, type DeviceKind } from "../support/touch-test.ts";

for (const kind of Object.keys(devices) as DeviceKind[]) {
  test(`every screen and sheet is accessible, fits and has large targets, in light and dark (${kind}) @looks [TOUCH-84] [TOUCH-190]`, async ({
    open,
  }) => {
    // There are some forty views.
    test.setTimeout(300_000);
    const page = await open({ name: `vistas-${kind}`, kind, managerWasHere: true });
    let themes: ["light" | "dark", "light" | "dark"] = ["light", "dark"];
    for (const { name, address, sign, act } of [...allTouchScreens, ...allTouchSheets, ...practiceScreens]) {
      await test.step(name, async () => {
        await goTo(page, address, sign);
        await act?.(page);
        await layoutSettled(page);
        // The page behind a sheet is checked as a view of its own.
        const part = (await page.getByRole("dialog").count()) > 0 ? "dialog[open]" : "#root";
        expect.soft(await layoutFaults(page, part), name).toEqual([]);
        expect.soft(await seriousIssues(page, part), `${name}, ${themes[0]}`).toEqual([]);
        // A theme changes only colours; the next view starts in the theme that this one ends with.
        themes = [themes[1], themes[0]];
        await show(page, devices[kind], themes[0]);
        expect.soft(await faintTexts(page, part), `${name}, ${themes[0]}`).toEqual([]);
      });
    }
  });
}

test("each name of the navigation is on one line, and the search shows its whole hint [TOUCH-200]", async ({
  open,
}) => {
  const page = await open({ name: "una-linea", kind: "phone" });
  const line = await deviceLine(page);
  const names = page.getByRole("navigation").locator(".shell-place span");
  const fits = async (width: number, expected: string[]): Promise<void> => {
    await page.setViewportSize({ width, height: 844 });
    await goTo(page, "/floor", "Mesa 1");
    await expect(names).toHaveText(expected);
    const heights = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().height));
    expect(Math.max(...heights), `${width} px`).toBeLessThan(Math.min(...heights) * 1.5);
    const edges = await names.evaluateAll((all) =>
      all.map((name) => {
        const range = document.createRange();
        range.selectNodeContents(name);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      }),
    );
    const gaps = edges.slice(1).map(({ left }, at) => left - (edges[at]?.right ?? 0));
    expect(Math.min(...gaps), `${width} px`).toBeGreaterThanOrEqual(4);
    const beyond = await page
      .locator(".shell-nav, .shell-top")
      .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth));
    expect(Math.max(...beyond), `${width} px`).toBeLessThanOrEqual(0);
  };
  for (const width of [390, 360]) await fits(width, ["Salón", "Para llevar", "Cobradas", "Más"]);
  // Cheap tablets of 7 inches are 600 px wide, Apple's smallest 744.
  for (const width of [600, 744]) await fits(width, ["Salón", "Para llevar", "Cobradas", "Cocina", "Más"]);
  await line.cut();
  await expect(page.locator(".conflicts-badge")).toBeVisible();
  await fits(390, ["Salón", "Para llevar", "Más"]);
  await fits(360, ["Salón", "Más"]);
  await fits(600, ["Salón", "Para llevar", "Cobradas", "Más"]);
  await fits(820, ["Salón", "Para llevar", "Cobradas", "Más"]);
  await line.restore();
  await expect(page.locator(".conflicts-badge")).toHaveCount(0);
  await page.setViewportSize(devices.phone);
  await goTo(page, "/table/28", "Entradas");
  const room = await page.getByRole("searchbox", { name: "Buscar plato" }).evaluate((field: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const context = document.createElement("canvas").getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.font = font;
    const inside = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    return inside - context.measureText(field.placeholder).width;
  });
  expect(room).toBeGreaterThanOrEqual(0);
});

/** Closes all sheets and opens a screen. */
async function goTo(page: Page, address: string, sign: string): Promise<void> {
  const sheets = page.getByRole("dialog");
  while ((await sheets.count()) > 0) await sheets.last().getByRole("button", { name: "Cerrar" }).tap();
  await page.evaluate((hash) => (location.hash = hash), `#${address}`);
  await page.getByRole("main").getByText(sign).first().waitFor();
}

/** Returns texts with too little contrast, the only thing that a theme changes. */
async function faintTexts(page: Page, part: string): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page, axeSource: ";" })
    .setLegacyMode()
    .include(part)
    .withRules(["color-contrast"])
    .analyze();
  return violations.flatMap(({ nodes }) => nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`));
}

/** Returns controls outside the window or too small for a finger, and an overflow of the page. */
function layoutFaults(page: Page, part: string): Promise<string[]> {
  return page.evaluate((selector) => {
    const least = 48;
    const { innerWidth } = window;
    const faults: string[] = [];
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) faults.push(`the page is ${scrollWidth} px wide in ${innerWidth}`);
    const targets = ["a[href]", "button", "input", "select", "textarea"]
      .map((each) => `${selector} ${each}`)
      .join(", ");
    for (const target of document.querySelectorAll(targets)) {
      if (!target.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const hit = target.closest("label") ?? target;
      const { left, right, width, height } = hit.getBoundingClientRect();
      if (width === 0) continue;
      const name = `${target.tagName} "${(target.getAttribute("aria-label") ?? hit.textContent).trim().slice(0, 40)}"`;
      if (Math.min(width, height) < least - 0.5) {
        faults.push(`${name} is ${Math.round(width)} × ${Math.round(height)}`);
      }
      if ((left < -1 || right > innerWidth + 1) && !isSwiped(hit)) {
        faults.push(`${name} lies at ${Math.round(left)} to ${Math.round(right)}`);
      }
    }
    return faults;

    /** Returns whether a control is in a one-row strip that is swiped sideways; taller lists have the same overflow style. */
    function isSwiped(element: Element): boolean {
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        if (box.clientHeight <= 80 && /auto|scroll/.test(getComputedStyle(box).overflowX)) return true;
      }
      return false;
    }
  }, part);
}
