import { type Bench, checkVerdict } from "../lib/bench.ts";
import type { Chromium, Page } from "../lib/chromium.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { startHub, startStandIn } from "../lib/hub.ts";
import { runInChromium } from "../lib/page-scenario.ts";
import { everyScreen } from "./every-screen.ts";

const ORDERS = 200;

/** Runs before the page's own scripts: records paints, long tasks and DOM mutations. */
const watch = `
  window.bench = { largestPaint: 0, longTasks: [], mutations: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.bench.largestPaint = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.bench.longTasks.push(entry.duration);
  }).observe({ type: "longtask", buffered: true });
  new MutationObserver((list) => { window.bench.mutations += list.length; })
    .observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
`;

/**
 * Measures the screens in a real browser: the time to Service's largest paint and its longest task at 200 changes a second, and
 * the longest task of every screen with many checks, terminals and tickets.
 */
export function screen(bench: Bench): Promise<Figure[]> {
  return runInChromium(bench, { name: "screen", built: "renderer" }, async (chromium) => [
    ...(await measure(bench, chromium)),
    ...(await everyScreen(bench, chromium)),
  ]);
}

async function measure(bench: Bench, chromium: Chromium): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn });
  const { tableIds } = standIn;
  const fleet = { target: hub.target, terminals: 4, orders: ORDERS, run: "screen", tableIds, timed: true };
  const id = await bench.load.run("open", fleet);
  const paints: number[] = [];
  const longest: number[] = [];
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    const page = await chromium.newPage(watch);
    await page.open(hub.program.url);
    const paint = await settledPaint(page);
    await page.evaluate("(window.bench.longTasks = [], window.bench.mutations = 0)");
    await bench.load.run("pace", { id, writers: 4, perSecond: 200, seconds: bench.flags.seconds });
    const { longTasks, mutations } = await page.evaluate<{ longTasks: number[]; mutations: number }>("window.bench");
    if (mutations === 0) bench.note("screen: nothing changed on the Service screen during 200 changes a second");
    await page.close();
    // Round 0 fills the browser's caches: the screen is measured as on a later visit.
    if (round === 0) continue;
    paints.push(paint);
    longest.push(Math.max(0, ...longTasks));
  }
  checkVerdict(bench, "screen", await bench.load.run("close", { id }));
  await Promise.all([hub.program.stop(), standIn.program.stop()]);
  return [
    figure({
      id: "screen.paint",
      text: `Service screen painted with ${ORDERS} active orders`,
      unit: "ms",
      ours: paints,
      goal: { of: "value", is: "at most", must: 1000 },
    }),
    figure({
      id: "screen.longest-task",
      text: "its longest task at 200 changes/s",
      unit: "ms",
      ours: longest,
      goal: { of: "value", is: "at most", must: 100 },
    }),
  ];
}

/** Returns the time of the largest paint, once it has been stable for a second. */
async function settledPaint(page: Page): Promise<number> {
  let last = -1;
  for (let quiet = 0; quiet < 4;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const now = await page.evaluate<number>("window.bench.largestPaint");
    quiet = now > 0 && now === last ? quiet + 1 : 0;
    last = now;
  }
  return last;
}
