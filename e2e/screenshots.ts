// `npm run screenshots [-- --to FOLDER] [NAME…]`: takes pictures of every screen, or those named, of a dinner service with real
// programs, at four widths in both themes: FOLDER/WIDTH/NAME-THEME.png, by default in dist/screenshots. The touch terminal's
// pictures have three widths, in FOLDER/terminal/WIDTH; select them by "terminal/NAME", or all by "terminal". Unless a folder
// is named, pictures that the documents show are replaced in docs/screenshots, too. Fails, after all pictures are taken, on a
// screen without content and on one that is wider than its window.
import { copyFileSync, existsSync } from "node:fs";
import path from "node:path";
import { chromium, type Page, type PageScreenshotOptions } from "@playwright/test";
import { readCommandLine, refuse } from "../build/command-line.ts";
import { findChromium } from "./electron-stand-in/chromium.ts";
import { allScreens } from "./screens/support/all-screens.ts";
import buildPages from "./support/build-pages.ts";
import { allTouchScreens, practiceScreens } from "./touch/support/all-touch-screens.ts";
import { devices } from "./touch/support/devices.ts";
import { serveDinner } from "./screens/support/dinner.ts";
import { overflowOf, layoutSettled, show, sizes } from "./screens/support/layout.ts";

const usage = "npm run screenshots -- [--to FOLDER] [NAME…]";
const { values, positionals: names } = readCommandLine(usage, {
  options: { to: { type: "string" } },
  allowPositionals: true,
});
const folder = values.to ?? path.resolve(import.meta.dirname, "../dist/screenshots");
const screens = allScreens.filter(({ name }) => names.length === 0 || names.includes(name));
const touchScreens = [...allTouchScreens, ...practiceScreens].filter(
  ({ name }) => names.length === 0 || names.includes("terminal") || names.includes(`terminal/${name}`),
);
if (screens.length + touchScreens.length === 0)
  refuse(`the screens are: ${allScreens.map(({ name }) => name).join(", ")}`, usage);

/** Maximum height (px) of a picture of a page that scrolls. */
const MAX_HEIGHT = 2400;

buildPages();
const dinner = await serveDinner();
const executablePath = findChromium();
const browser = await chromium.launch({
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--no-first-run"],
  ...(executablePath === undefined ? {} : { executablePath }),
});
const complaints: string[] = [];
try {
  const page = await browser.newPage({ locale: "es-DO", reducedMotion: "reduce" });
  const { token, user } = dinner.operator;
  await page.addInitScript(
    (session) => sessionStorage.setItem("comanda-session", session),
    JSON.stringify({ token, user }),
  );
  for (const { name, address, es } of screens) {
    await page.goto(`${dinner.restaurant.hubUrl}/#${address}`);
    await untilFilled(page, name, es);
    for (const size of sizes) {
      for (const colorScheme of ["light", "dark"] as const) {
        await show(page, size, colorScheme);
        const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight);
        const clip = { x: 0, y: 0, width: size.width, height: Math.min(pageHeight, MAX_HEIGHT) };
        await save(page, `${size.width}/${name}-${colorScheme}.png`, { fullPage: true, clip });
      }
      complaints.push(...(await overflowOf(page)).map((complaint) => `${name} at ${size.width} px: ${complaint}`));
    }
  }
  for (const size of touchScreens.length === 0 ? [] : Object.values(devices)) await takeTouchPictures(size);
} finally {
  await browser.close();
  await dinner.close();
}
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
if (complaints.length > 0) process.exitCode = 1;

async function save(page: Page, picture: string, options: PageScreenshotOptions = {}): Promise<void> {
  const file = path.join(folder, picture);
  await page.screenshot({ path: file, animations: "disabled", ...options });
  const inDocuments = path.resolve(import.meta.dirname, "../docs/screenshots", picture);
  if (values.to === undefined && existsSync(inDocuments)) copyFileSync(file, inDocuments);
}

/** Opens a new page for each size: the terminal keeps its layout while a person works. */
async function takeTouchPictures(size: { width: number; height: number }): Promise<void> {
  const touch = await browser.newPage({ locale: "es-DO", reducedMotion: "reduce", hasTouch: true, viewport: size });
  const account = { token: await dinner.restaurant.token("cashier"), user: { id: 7, name: "Carlos Jiménez" } };
  await touch.addInitScript(
    (stored) => localStorage.setItem("comanda-terminal-account", stored),
    JSON.stringify(account),
  );
  for (const { name, address, sign, act } of touchScreens) {
    for (const colorScheme of ["light", "dark"] as const) {
      await touch.goto(`${dinner.restaurant.hubUrl}/terminal/?name=foto-${size.width}#${address}`);
      await touch.reload();
      const content = touch.getByRole("main").getByText(sign).first();
      const isShown = await content.waitFor({ timeout: 15_000 }).then(
        () => true,
        () => false,
      );
      if (!isShown) complaints.push(`terminal/${name} at ${size.width} px does not show "${sign}"`);
      await show(touch, size, colorScheme);
      await act?.(touch);
      await layoutSettled(touch);
      await save(touch, `terminal/${size.width}/${name}-${colorScheme}.png`);
    }
    // Strips of the terminal may be scrolled sideways, the page itself may not.
    const pageWidth = await touch.evaluate(() => document.documentElement.scrollWidth);
    if (pageWidth > size.width) complaints.push(`terminal/${name} is ${pageWidth} px wide in ${size.width}`);
  }
  await touch.close();
}

/** Waits for the screen's content, ignoring the same words in the navigation; throws if there is none. */
async function untilFilled(page: Page, name: string, sign: string): Promise<void> {
  const content = page.getByRole("main");
  await content.getByText(sign).first().waitFor();
  await layoutSettled(page);
  const empty = content.locator(".screen > .empty");
  if (await empty.isVisible()) throw new Error(`the screen ${name} has no content: ${await empty.innerText()}`);
}
