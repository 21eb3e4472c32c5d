import { get } from "node:http";
import { type Bench, checkVerdict } from "../lib/bench.ts";
import type { Chromium, Page } from "../lib/chromium.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { postJson, startHub, startStandIn } from "../lib/hub.ts";
import { runInChromium } from "../lib/page-scenario.ts";
import { percentile } from "../lib/statistics.ts";

const PRODUCTS = 2_000;
const TABLES = 200;
const CHECKS = 500;
/** Assumed slowdown of a cheap tablet compared with this machine. */
const SLOWER = 6;
const TAPS = 40;
/** Ms between two taps of a quick finger. */
const FINGER_MS = 150;
/** The changes that a terminal receives in a shift of eight hours: 500 checks of 30 changes each. */
const SHIFT = { perSecond: 250, seconds: 60 };

/** Runs before the page's own scripts: records when the socket opens, the screen is shown, and an occupied table is drawn. */
const watch = `
  window.bench = { openedAt: 0, shownAt: 0, drawnAt: 0 };
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...args) {
      super(...args);
      this.addEventListener("open", () => { window.bench.openedAt ||= performance.now(); });
    }
  };
  const look = () => {
    if (document.querySelector(".table-tile, .kitchen") !== null) window.bench.shownAt ||= performance.now();
    if (document.querySelector('.table-tile:not([data-state="free"])') !== null) window.bench.drawnAt = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

/** Measures the touch terminal in a real browser, in a large restaurant, with a CPU six times slower than this machine's. */
export function terminal(bench: Bench): Promise<Figure[]> {
  return runInChromium(bench, { name: "terminal", built: "terminal" }, (chromium) => measure(bench, chromium));
}

async function measure(bench: Bench, chromium: Chromium): Promise<Figure[]> {
  const standIn = await startStandIn(bench, { products: PRODUCTS, tables: TABLES });
  const hub = await startHub(bench, { standIn });
  const [free, ...occupied] = standIn.tableIds;
  const fleet = { target: hub.target, terminals: 5, orders: CHECKS, run: "terminal", tableIds: occupied };
  const id = await bench.load.run("open", { ...fleet, timed: true });
  const account = await postJson(`${hub.program.url}/terminal/v1/sign-in`, { login: "cashier", password: "cashier" });
  const url = `${hub.program.url}/terminal/`;
  const signedIn = (round: number) => `
    localStorage.setItem("comanda-terminal-account", ${JSON.stringify(JSON.stringify(account))});
    localStorage.setItem("comanda-terminal-device", '{"id":"bench-${round}","startScreen":"floor"}');`;

  const usable: number[] = [];
  const taps: number[] = [];
  const keys: number[] = [];
  const slowKeys: number[] = [];
  const scroll: number[] = [];
  const growth: number[] = [];
  const bytes: number[] = [];
  const kitchenBytes: number[] = [];
  for (let round = 0; round < bench.flags.rounds; round += 1) {
    const page = await chromium.newPage(watch + signedIn(round));
    await page.setSize(390, 844);
    await page.slowDown(SLOWER);
    await page.open(url);
    usable.push(
      await until(() => page.evaluate<number>("window.bench.drawnAt && window.bench.drawnAt - window.bench.openedAt")),
    );
    bytes.push((await loadedBytes(page)) / 1_000);
    await page.evaluate(openLargestFloor);
    scroll.push((await chromium.longestTask(() => scrollThrough(page, ".floor-list, .plan"))).wall);
    await goTo(page, `#/table/${free}`, ".tile");
    taps.push(percentile(await page.evaluate<number[]>(tapTiles), 95));
    slowKeys.push(percentile(await page.evaluate<number[]>(typeWords), 95));
    await page.slowDown(1);
    keys.push(percentile(await page.evaluate<number[]>(typeWords), 95));
    await goTo(page, "#/floor", ".table-tile");
    const before = await page.heapBytes();
    await bench.load.run("pace", { id, writers: 4, ...SHIFT });
    growth.push((await page.heapBytes()) / before);
    bench.note(`terminal: ${(before / 1e6).toFixed(1)} MB of heap before the shift`);
    await page.close();
    const kitchen = await chromium.newPage(watch + signedIn(100 + round).replace('"floor"', '"kitchen"'));
    await kitchen.open(url);
    await until(() => kitchen.evaluate<number>("window.bench.shownAt"));
    kitchenBytes.push((await loadedBytes(kitchen)) / 1_000);
    await kitchen.close();
  }
  checkVerdict(bench, "terminal", await bench.load.run("close", { id }));
  await Promise.all([hub.program.stop(), standIn.program.stop()]);

  const line = (name: string, text: string, unit: string, ours: number[], must?: number): Figure =>
    figure({
      id: `terminal.${name}`,
      text: `terminal: ${text}`,
      unit,
      ours,
      ...(must === undefined ? {} : { goal: { of: "value", is: "at most", must } }),
    });
  return [
    line("load", "first load of the floor, gzip", "KB", bytes, 250),
    line("load-kitchen", "first load of the kitchen, gzip", "KB", kitchenBytes, 150),
    line(
      "usable",
      `from the open socket to ${CHECKS} checks on the floor, ${SLOWER} times slower`,
      "ms",
      usable,
      1_000,
    ),
    line("tap", `from a tap of a quick finger to the tile's count, ${SLOWER} times slower, p95`, "ms", taps, 50),
    line("search", `a key of the search in ${PRODUCTS} products, p95`, "ms", keys, 16),
    line("search-slow", `the same ${SLOWER} times slower`, "ms", slowKeys),
    line(
      "scroll",
      `longest task while ${TABLES} tables with ${CHECKS} checks scroll, ${SLOWER} times slower`,
      "ms",
      scroll,
      50,
    ),
    line("memory", "heap after a shift beside before it", "×", growth, 1.5),
  ];
}

/** Taps tiles; returns for each tap the ms until a frame with the tile's new count has been painted. */
const tapTiles = `(async () => {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const changed = (tile) => new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => reject(new Error("a tap did not change its tile")), 5_000);
    new MutationObserver((_, observer) => {
      observer.disconnect();
      clearTimeout(tooLate);
      resolve();
    }).observe(tile, { subtree: true, childList: true, characterData: true });
  });
  const times = [];
  const tiles = [...document.querySelectorAll(".tile:not(:disabled)")];
  for (let n = 0; n < ${TAPS}; n += 1) {
    const tile = tiles[n % tiles.length];
    const count = () => tile.querySelector(".tile-count")?.textContent ?? "";
    const before = count();
    await new Promise((resolve) => setTimeout(resolve, ${FINGER_MS}));
    await painted();
    const seen = changed(tile).then(painted);
    const from = performance.now();
    tile.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    // A finger that stays would be a long press, which opens a sheet over the tiles.
    tile.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
    tile.click();
    await seen;
    if (count() === before) throw new Error("a tap did not change its tile's count");
    times.push(performance.now() - from);
  }
  return times;
})()`;

/** Types into the search; returns for each key the ms until the page has laid out the results. */
const typeWords = `(async () => {
  const input = document.querySelector(".search input");
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
  const times = [];
  for (const word of ["camarones 1", "pollo 12", "chinola", "aguacate"]) {
    for (let length = 1; length <= word.length; length += 1) {
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      const from = performance.now();
      set.call(input, word.slice(0, length));
      input.dispatchEvent(new Event("input", { bubbles: true }));
      void document.body.offsetHeight;
      times.push(performance.now() - from);
    }
  }
  set.call(input, "");
  input.dispatchEvent(new Event("input", { bubbles: true }));
  return times;
})()`;

/** Opens the floor that was added last and waits until it is drawn. */
const openLargestFloor = `(async () => {
  [...document.querySelectorAll('[role="tab"]')].at(-1)?.click();
  await new Promise((resolve) => setTimeout(resolve, 4_000));
})()`;

function scrollThrough(page: Page, selector: string): Promise<void> {
  return page.evaluate(`(async () => {
    const list = document.querySelector(${JSON.stringify(selector)});
    for (let n = 0; n < 120; n += 1) {
      list.scrollTop += 40;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })()`);
}

async function goTo(page: Page, hash: string, selector: string): Promise<void> {
  await page.evaluate(`void (location.hash = ${JSON.stringify(hash)})`);
  await until(() => page.evaluate<number>(`Number(document.querySelector(${JSON.stringify(selector)}) !== null)`));
}

/**
 * Returns the gzipped size of the files that the page had requested when its screen was shown, as a tablet receives them over
 * plain HTTP. What it fetches ahead for other screens comes later and does not count.
 */
async function loadedBytes(page: Page): Promise<number> {
  const urls = await page.evaluate<string[]>(
    `[location.href, ...performance.getEntriesByType("resource")
      .filter(({ startTime }) => startTime <= window.bench.shownAt).map(({ name }) => name)]
      .filter((url) => !url.includes("/v1/"))`,
  );
  const sizes = await Promise.all([...new Set(urls.map((url) => url.split("#")[0] ?? url))].map(bodyBytes));
  return sizes.reduce((sum, each) => sum + each, 0);
}

function bodyBytes(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { "accept-encoding": "gzip" } }, (response) => {
      let length = 0;
      response.on("data", (chunk: Buffer) => (length += chunk.length));
      response.on("end", () => resolve(length));
    }).on("error", reject);
  });
}

/** Polls until the value is not 0; gives up after a minute. */
async function until(read: () => Promise<number>): Promise<number> {
  const deadline = Date.now() + 60_000;
  for (let value = await read(); ; value = await read()) {
    if (value > 0) return value;
    if (Date.now() > deadline) throw new Error("the terminal did not come so far within a minute");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
