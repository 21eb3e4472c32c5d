// `npm run screenshots [-- NAME…]`: screens in both themes, of a dinner service with real programs, into docs/screenshots.
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium, type Page } from "@playwright/test";
import { findChromium } from "./electron-stand-in/chromium.ts";
import { allScreens } from "./screens/all-screens.ts";
import buildRenderer from "./screens/build-renderer.ts";
import { serveDinner } from "./screens/dinner.ts";

const folder = path.resolve(import.meta.dirname, "../docs/screenshots");
const themes = ["light", "dark"] as const;

const names = process.argv.slice(2);
const screens = allScreens.filter(({ name }) => names.length === 0 || names.includes(name));
if (screens.length === 0) throw new Error(`the screens are: ${allScreens.map(({ name }) => name).join(", ")}`);

mkdirSync(folder, { recursive: true });
buildRenderer();
const dinner = await serveDinner();
const executablePath = findChromium();
const browser = await chromium.launch({
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
  ...(executablePath === undefined ? {} : { executablePath }),
});
try {
  for (const colorScheme of themes) {
    const context = await browser.newContext({ viewport: { width: 1366, height: 768 }, colorScheme, locale: "es-DO" });
    const page = await context.newPage();
    const { token, user } = dinner.operator;
    await page.addInitScript(
      (session) => sessionStorage.setItem("comanda-session", session),
      JSON.stringify({ token, user }),
    );
    for (const { name, address, es } of screens) {
      await page.goto(`${dinner.restaurant.hubUrl}/#${address}`);
      await untilFilled(page, name, es);
      await page.screenshot({ path: path.join(folder, `${name}-${colorScheme}.png`), animations: "disabled" });
    }
    await context.close();
  }
} finally {
  await browser.close();
  await dinner.close();
}

/** Waits for the screen itself, not for the same words in the navigation; throws for a screen without content. */
async function untilFilled(page: Page, name: string, sign: string): Promise<void> {
  const content = page.getByRole("main");
  await content.getByText(sign).first().waitFor();
  await page.waitForFunction(() => document.querySelector(".mantine-Skeleton-root") === null);
  await page.evaluate(() => document.fonts.ready);
  const empty = content.locator(".screen > .empty");
  if (await empty.isVisible()) throw new Error(`the screen ${name} has no content: ${await empty.innerText()}`);
}
