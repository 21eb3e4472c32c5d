import { existsSync } from "node:fs";
import { findChromium } from "../electron-stand-in/chromium.ts";

const headlessShell = "/usr/lib/chromium/chromium-headless-shell";

/**
 * Returns the specs' browser: Debian's headless shell of Chromium if installed, which opens a page with a sixth of the work,
 * else the result of `findChromium`. `CHROMIUM` overrides it.
 */
export function findBrowser(): string | undefined {
  return process.env["CHROMIUM"] === undefined && existsSync(headlessShell) ? headlessShell : findChromium();
}
