import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bench, freshPath } from "./bench.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import type { Figure } from "./figure.ts";
import { repoRoot } from "./program.ts";

/** Measures a built page in a real browser. If either is missing, adds a note that the scenario was skipped. */
export async function runInChromium(
  bench: Bench,
  page: { name: "screen" | "terminal"; built: "renderer" | "terminal" },
  measure: (chromium: Chromium) => Promise<Figure[]>,
): Promise<Figure[]> {
  const { name, built } = page;
  if (!existsSync(join(repoRoot, "dist", built, "index.html"))) {
    bench.note(`${name}: its page is not built (npm run build:${built}): this part is left out`);
    return [];
  }
  const chromium = await startChromium(freshPath(bench, "chromium"));
  if (chromium === null) {
    bench.note(`${name}: no Chromium on this machine: this part is left out`);
    return [];
  }
  try {
    return await measure(chromium);
  } finally {
    await chromium.stop();
  }
}
