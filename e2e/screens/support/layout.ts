import type { Page } from "@playwright/test";

/** The widths that every screen is designed for, in CSS px, each with a typical height. */
export const sizes = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1366, height: 768 },
  { width: 2560, height: 1440 },
] as const;

type ColorScheme = "light" | "dark";

/** Sets the page's size and theme, and waits until both are applied. */
export async function show(
  page: Page,
  size: { width: number; height: number },
  colorScheme: ColorScheme,
): Promise<void> {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme });
  // The page follows the system's theme through a listener, a moment later.
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await layoutSettled(page);
}

/** Sets the browser's font size to 200 %. */
export async function doubleLetters(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
}

/** Resolves when nothing is loading any more and a new size has been laid out. */
export async function layoutSettled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector(".mantine-Skeleton-root") === null);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // Resize observers run after the first frame, and on a busy machine React renders what they found after the second.
    for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** Returns what exceeds the window: the page, or controls, headings and tables reachable only by scrolling sideways. */
export function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const complaints: string[] = [];
    const { innerWidth } = window;
    const { scrollWidth } = document.documentElement;
    if (scrollWidth > innerWidth) complaints.push(`the page is ${scrollWidth} px wide in ${innerWidth}`);
    const important =
      'a, button, label, input, select, textarea, h1, h2, h3, summary, table, [role="table"], [role="tab"]';
    for (const element of document.querySelectorAll(important)) {
      if (element.closest(".visually-hidden, .skip-link, [aria-hidden='true']") !== null) continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const { left, right, width } = element.getBoundingClientRect();
      if (width > 0 && (left < -1 || right > innerWidth + 1)) {
        const name = (element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 60);
        complaints.push(`${element.tagName} "${name}" lies at ${Math.round(left)} to ${Math.round(right)}`);
      }
    }
    return complaints;
  });
}
