import { existsSync } from "node:fs";
import { findChromium } from "../electron-stand-in/chromium.ts";

const headlessShell = "/usr/lib/chromium/chromium-headless-shell";

/**
 * The browser of the specs: Debian's Chromium without the program around its pages, as Playwright's own is, which opens a
 * page with a sixth of the work; else what `findChromium` finds. `CHROMIUM` names another one.
 */
export function findBrowser(): string | undefined {
  return process.env["CHROMIUM"] === undefined && existsSync(headlessShell) ? headlessShell : findChromium();
}
