import { type Bench, checkVerdict } from "../lib/bench.ts";
import type { Chromium, Page } from "../lib/chromium.ts";
import { type Figure, figure } from "../lib/figure.ts";
import { createKey, postJson, startHub, startStandIn } from "../lib/hub.ts";
import type { LongestTask } from "../lib/trace-tasks.ts";

const CHECKS = 500;
const TERMINALS = 100;
const TICKETS = 170;
const PAID = 250;
/** Edits of checks and bumps of kitchen tickets: 40 changes a second together. */
const EDITS_PER_SECOND = 30;
const BUMPS_PER_SECOND = 10;

/** The address of every screen and tab. */
const screens = {
  service: "/",
  wall: "/wall",
  orders: "/orders",
  order: "/orders/KITCHEN%2F7",
  terminals: "/terminals",
  leases: "/terminals/leases",
  people: "/terminals/people",
  connect: "/terminals/connect",
  kitchen: "/kitchen",
  out: "/kitchen/out",
  stations: "/kitchen/stations",
  "back-office": "/back-office",
  attention: "/back-office/attention",
  fiscal: "/back-office/fiscal",
  closing: "/back-office/closing",
  today: "/today",
  forwarded: "/back-office/history",
  keys: "/integrations",
  webhooks: "/integrations/webhooks",
  deliveries: "/integrations/deliveries",
  plugins: "/integrations/plugins",
  tools: "/integrations/tools",
  reservations: "/reservations",
  system: "/system",
  settings: "/system/settings",
  backups: "/system/backups",
  "data-file": "/system/data",
  logs: "/system/logs",
  audit: "/system/audit",
} as const;

/** The comparison for each screen: the browser's own work to draw 500 rows of plain text once. */
const drawPlainRows = `
  document.body.innerHTML = "<table>" + Array.from({ length: 500 }, (_, n) =>
    "<tr>" + "<td>POS/2026/" + n + "</td><td>Mesa " + n + "</td><td>Abierta</td><td>DOP 1,250.00</td>".repeat(2) + "</tr>",
  ).join("") + "</table>";
  document.body.offsetHeight`;

const countFrames = `
  window.bench = { frames: 0 };
  const count = () => { window.bench.frames += 1; requestAnimationFrame(count); };
  requestAnimationFrame(count);
`;

interface ScreenResult {
  /** The longest task while the screen opens, and while it is open. */
  opening: LongestTask;
  open: LongestTask;
  nodes: number;
  framesPerSecond: number;
}

/** Measures every screen with many checks, terminals and tickets at 40 changes a second: longest task, nodes and frames. */
export async function everyScreen(bench: Bench, chromium: Chromium): Promise<Figure[]> {
  const standIn = await startStandIn(bench);
  const hub = await startHub(bench, { standIn });
  const { target } = hub;
  const { tableIds, methodId } = standIn;
  await bench.load.run("prepare", { target, run: "paid", orders: PAID, methodId });
  const kitchen = await bench.load.run("openKitchen", { target, tickets: TICKETS });
  const { receiver, url } = await bench.load.run("openReceiver", undefined);
  const key = await createKey(hub.program.url, standIn);
  await postJson(`${hub.program.url}/external/v1/webhooks`, { url, events: ["*"] }, key);
  const fleet = { target, terminals: TERMINALS, orders: CHECKS - TICKETS, run: "screens", tableIds };
  const id = await bench.load.run("open", { ...fleet, timed: true });
  const session = await postJson(`${hub.program.url}/operator/v1/sign-in`, { login: "manager", password: "manager" });
  const signedIn = `sessionStorage.setItem("comanda-session", ${JSON.stringify(JSON.stringify(session))});`;

  const plain: number[] = [];
  const results = new Map<string, ScreenResult[]>();
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    const page = await chromium.newPage(countFrames + signedIn);
    await page.open(hub.program.url);
    await pause(3_000);
    for (const [name, address] of Object.entries(screens)) {
      const work = async (seconds: number): Promise<void> => {
        const edits = bench.load.run("pace", { id, writers: 4, perSecond: EDITS_PER_SECOND, seconds });
        await Promise.all([
          edits,
          bench.load.run("workInKitchen", { id: kitchen, perSecond: BUMPS_PER_SECOND, seconds }),
        ]);
      };
      const result = await measureScreen(chromium, page, address, bench.flags.seconds, work);
      // Round 0 fills the browser's caches: a screen is measured as on a later visit.
      if (round > 0) results.set(name, [...(results.get(name) ?? []), result]);
    }
    await page.open("about:blank");
    plain.push((await chromium.longestTask(() => page.evaluate(drawPlainRows))).cpu);
    await page.close();
  }
  checkVerdict(bench, "screens", await bench.load.run("close", { id }));
  await bench.load.run("closeKitchen", { id: kitchen });
  await bench.load.run("closeReceiver", { receiver });
  await Promise.all([hub.program.stop(), standIn.program.stop()]);
  return [...results].map(([name, rounds]) => describe(bench, name, rounds, plain.slice(1)));
}

async function measureScreen(
  chromium: Chromium,
  page: Page,
  address: string,
  seconds: number,
  work: (seconds: number) => Promise<void>,
): Promise<ScreenResult> {
  const opening = await chromium.longestTask(async () => {
    await page.evaluate(`void (location.hash = ${JSON.stringify(address)})`);
    await work(1);
  });
  await page.evaluate("void (window.bench.frames = 0)");
  const open = await chromium.longestTask(() => work(seconds));
  const frames = await page.evaluate<number>("window.bench.frames");
  const nodes = await page.evaluate<number>('document.querySelectorAll("*").length');
  return { opening, open, nodes, framesPerSecond: frames / seconds };
}

function describe(bench: Bench, name: string, results: readonly ScreenResult[], plain: readonly number[]): Figure {
  const largest = (value: (result: ScreenResult) => number): string => Math.max(...results.map(value)).toFixed(0);
  const line = figure({
    id: `screen.task.${name}`,
    text: `screen ${name}: its longest task at 40 changes/s, CPU`,
    unit: "ms",
    ours: results.map(({ opening, open }) => Math.max(opening.cpu, open.cpu)),
    beside: { name: "500 plain rows", values: plain },
    isCost: true,
    goal: { of: "value", is: "at most", must: 100 },
  });
  bench.note(
    `screen ${name}: ${largest(({ nodes }) => nodes)} nodes, longest task ${largest(({ opening }) => opening.cpu)} ms CPU ` +
      `(${largest(({ opening }) => opening.wall)} ms) as it opens, ${largest(({ open }) => open.cpu)} ms ` +
      `(${largest(({ open }) => open.wall)} ms) afterwards, ` +
      `${Math.min(...results.map(({ framesPerSecond }) => framesPerSecond)).toFixed(0)} frames/s`,
  );
  return line;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
