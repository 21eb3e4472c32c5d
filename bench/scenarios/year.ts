import { DAY_MS } from "@comanda/protocol";
import { copyFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { backUp } from "../../hub/db/backups/keep-backups.ts";
import { finishAsync } from "../../hub/db/files/steps.ts";
import type { Bench } from "../lib/bench.ts";
import { dropFileCache } from "../lib/cold-cache.ts";
import { type Figure, figure, type Goal } from "../lib/figure.ts";
import { health, type StandIn, startHubProgram, startStandIn } from "../lib/hub.ts";
import { resetPeak, peakMiB } from "../lib/process-usage.ts";
import { renderMarkdown } from "../lib/report.ts";
import { median } from "../lib/statistics.ts";
import { copyWithToday, requireRoom, sizeOf } from "../year/year-file.ts";
import { cachedYearFile } from "./year-files.ts";
import { settingsOf, startYearHub, type Subject, type YearHub } from "./year-hub.ts";

const DAYS = { month: 30, year: 365, years: 1095 };
const QUICK_DAYS = { month: 2, year: 4, years: 8 };
/** After this many days, as much is thinned out as a day adds. */
const DAYS_OF_BACKUPS = 4;
/** A round that takes longer (ms) is not repeated. */
const LONG_MS = 20_000;
/** After this time, the background check counts as one that never ends. */
const CHECK_WITHIN_MS = 900_000;
/** Belongs to no history of this hub, so the answer contains everything. */
const NOWHERE = { hubId: "none", epoch: "none", seq: 0 };
const SEARCH = "altagracia";

const atMost = (must: number): Goal => ({ of: "value", is: "at most", must });
const steady: Goal = { of: "ratio", is: "at most", must: 1.5 };
const fewMs = atMost(50);

/** In the report's order; rows without a goal are reported as well. */
const rows = {
  bytes: { text: "data file", unit: "MB" },
  "bytes-a-month": { text: "data file, per month of history", unit: "MB", goal: atMost(60) },
  "disk-use": { text: `disk use after ${DAYS_OF_BACKUPS} days of backups`, unit: "× file", goal: atMost(3) },
  start: { text: "start after a power cut, cold: until it listens", unit: "ms", goal: atMost(3000) },
  health: { text: "the same until /health answers", unit: "ms", goal: atMost(3000) },
  checked: { text: "the same until the background check has ended", unit: "s" },
  "check.wait": { text: "the operator's check of the data file: longest wait", unit: "ms", goal: fewMs },
  "check.took": { text: "the same: duration", unit: "s" },
  "verify.wait": { text: "verifying a backup: longest wait", unit: "ms", goal: fewMs },
  "verify.took": { text: "the same: duration", unit: "s" },
  "backup.wait": { text: "making a backup: longest wait of a write", unit: "ms", goal: fewMs },
  "backup.took": { text: "the same: duration", unit: "s" },
  active: { text: "GET /external/v1/orders (active)", unit: "ms", goal: steady },
  "all.took": { text: "the same with status=all", unit: "ms" },
  "all.wait": { text: "the same: longest wait of others", unit: "ms", goal: fewMs },
  "all.peak": { text: "the same: peak memory of the hub", unit: "MiB", goal: steady },
  list: { text: "operator list, all orders", unit: "ms", goal: steady },
  "list.wait": { text: "the same: longest wait of others", unit: "ms", goal: fewMs },
  search: { text: `operator search, "${SEARCH}"`, unit: "ms", goal: steady },
  "search.wait": { text: "the same: longest wait of others", unit: "ms", goal: fewMs },
  "sync.full": { text: "first full SYNC of a terminal, cold", unit: "ms", goal: steady },
  "sync.delta": { text: "delta SYNC of what is active", unit: "ms", goal: steady },
  overview: { text: "operator overview", unit: "ms", goal: steady },
  idle: { text: "for comparison: longest wait while nothing is done for 3 s", unit: "ms" },
} as const satisfies Record<string, { text: string; unit: string; goal?: Goal }>;
type Row = keyof typeof rows;

/** The measurements on the file of one age. */
type Measures = Map<Row, number[]>;

/** Compares a data file of three years with one of a month: only its size and background work may grow. */
export async function year(bench: Bench): Promise<Figure[]> {
  const days = bench.flags.quick ? QUICK_DAYS : DAYS;
  const standIn = await startStandIn(bench);
  const found: Record<string, Measures> = {};
  const record: RecordMeasure = ({ age }, row, value) => {
    const measures = (found[age] ??= new Map<Row, number[]>());
    measures.set(row, [...(measures.get(row) ?? []), value]);
    console.log(`    ${age}, ${row}: ${value.toFixed(1)} ${rows[row].unit}`);
  };
  const month = await prepare(bench, standIn, "one month", days.month);
  const years = await prepare(bench, standIn, "three years", days.years);
  for (const subject of [month, years]) {
    const bytes = sizeOf(subject.dbPath);
    record(subject, "bytes", bytes / 1e6);
    record(subject, "bytes-a-month", bytes / 1e6 / (subject.days / 30));
  }
  const hubs: YearHub[] = [];
  for (const subject of [month, years]) {
    const hub = await startYearHub(bench, standIn, subject);
    hubs.push(hub);
    // Measured first: some seconds after its start the hub begins to check its file by itself.
    await measureCheck(bench, hub, record);
  }
  for (let round = 0; round <= bench.flags.rounds; round += 1) {
    // Round 0 warms up and is discarded; then the hubs take turns in going first.
    for (const hub of round % 2 === 0 ? hubs : hubs.toReversed())
      await measureReading(bench, hub, round === 0 ? () => undefined : record);
  }
  for (const hub of hubs) {
    // The last SYNC has evicted the file from the system's cache.
    await hub.request("GET", paths.all);
    await repeatShort(bench, () => measureAll(hub, record));
    await repeatShort(bench, () => measureBackup(hub, record));
    await hub.stop();
    await measureDiskUse(hub.subject, record);
  }
  await measurePowerCuts(bench, standIn, month, record);
  await measurePowerCuts(bench, standIn, years, record);
  const middle = await prepare(bench, standIn, "one year", days.year);
  await measurePowerCuts(bench, standIn, middle, record);
  await standIn.program.stop();
  const measured = ({ age }: Subject): Measures => found[age] ?? new Map<Row, number[]>();
  const figures = figuresOf(measured(middle), measured(month), measured(years));
  console.log(`\n${renderMarkdown(figures, { beside: "one month", ours: "three years" })}\n`);
  return figures;
}

function figuresOf(middle: Measures, month: Measures, years: Measures): Figure[] {
  return (Object.keys(rows) as Row[]).flatMap((row) => {
    const { text, unit, goal }: { text: string; unit: string; goal?: Goal } = rows[row];
    const line = (id: string, title: string, measures: Measures, beside?: Measures): Figure =>
      figure({
        id,
        text: title,
        unit,
        ours: measures.get(row) ?? [],
        ...(beside !== undefined && { beside: { name: "one month", values: beside.get(row) ?? [] } }),
        ...(goal !== undefined && { goal }),
      });
    const extraLines = middle.has(row) ? [line(`year.${row}.one-year`, `${text} (one year)`, middle)] : [];
    return [...extraLines, line(`year.${row}`, text, years, month)];
  });
}

/** Copies a kept file to a new folder and adds a day that ends now. */
async function prepare(bench: Bench, standIn: StandIn, age: string, days: number): Promise<Subject> {
  const files = await cachedYearFile(bench, standIn, days);
  const folder = join(bench.folder, age.replace(" ", "-"));
  const subject = { age, days, folder, dbPath: join(folder, "hub.sqlite"), backupDir: join(folder, "backups") };
  mkdirSync(subject.backupDir, { recursive: true });
  // Room for the copy and a backup of it.
  requireRoom(folder, 2.1 * sizeOf(files.cachedFile));
  copyWithToday(files, subject.dbPath);
  // Puts the day's backup there, so that the hub makes one only when the measurement requests it.
  const stamp = new Date().toISOString().replace(/[:.]/g, "-");
  copyFileSync(files.livesFile, join(subject.backupDir, `hub-daily-${stamp}.sqlite`));
  return subject;
}

type RecordMeasure = (subject: Subject, row: Row, value: number) => void;

async function measureCheck(bench: Bench, hub: YearHub, record: RecordMeasure): Promise<void> {
  const { subject } = hub;
  let message = "";
  const { tookMs, longestMs } = await hub.watch(async () => {
    const checked = await hub.requestJson<{ check: { ok: boolean; message: string } | null }>("POST", paths.check);
    message = checked.check?.ok === true ? "" : (checked.check?.message ?? "it was not checked");
  });
  if (message === "") bench.note(`year: the file of ${subject.age} passes the hub's own check`);
  else bench.fail(`year: the file of ${subject.age} does not pass the hub's own check: ${message}`);
  record(subject, "check.wait", longestMs);
  record(subject, "check.took", tookMs / 1000);
  record(subject, "idle", (await hub.watch(() => pause(3000))).longestMs);
}

const paths = {
  check: "/operator/v1/data-file/check",
  backups: "/operator/v1/backups",
  overview: "/operator/v1/overview",
  active: "/external/v1/orders",
  all: "/external/v1/orders?status=all",
  list: "/operator/v1/orders?status=all",
  search: `/operator/v1/orders?status=all&search=${SEARCH}`,
};

let reads = 0;

async function measureReading(bench: Bench, hub: YearHub, record: RecordMeasure): Promise<void> {
  const { subject, target } = hub;
  const timed = async (path: string): Promise<number> => {
    // A SYNC before this one has evicted the file from the system's cache.
    await hub.request("GET", path);
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      await pause(20);
      const at = performance.now();
      await hub.request("GET", path);
      times.push(performance.now() - at);
    }
    return median(times);
  };
  record(subject, "active", await timed(paths.active));
  record(subject, "overview", await timed(paths.overview));
  for (const row of ["list", "search"] as const) {
    await hub.request("GET", paths[row]);
    const { longestMs } = await hub.watch(async () => record(subject, row, await timed(paths[row])));
    record(subject, `${row}.wait`, longestMs);
  }
  const since = hub.since();
  const edited = await hub.editActive();
  reads += 1;
  const delta = await bench.load.run("resume", { target, since, deviceId: `year-delta-${reads}` });
  if (delta.mode !== "delta" || delta.orders < edited)
    bench.fail(`year: no delta of ${edited} orders: ${JSON.stringify(delta)}`);
  record(subject, "sync.delta", delta.tookMs);
  dropFileCache();
  const full = await bench.load.run("resume", { target, since: NOWHERE, deviceId: `year-full-${reads}` });
  if (full.mode !== "full" || full.orders < edited) bench.fail(`year: no full SYNC: ${JSON.stringify(full)}`);
  record(subject, "sync.full", full.tookMs);
}

async function measureAll(hub: YearHub, record: RecordMeasure): Promise<number> {
  const { subject, program } = hub;
  resetPeak(program.pid);
  const { tookMs, longestMs } = await hub.watch(() => hub.request("GET", paths.all));
  record(subject, "all.took", tookMs);
  record(subject, "all.wait", longestMs);
  record(subject, "all.peak", peakMiB(program.pid));
  return tookMs;
}

async function measureBackup(hub: YearHub, record: RecordMeasure): Promise<number> {
  const { subject } = hub;
  let name = "";
  const backup = await hub.watch(async () => {
    name = await makeBackup(hub);
  });
  record(subject, "backup.wait", backup.longestWriteMs);
  record(subject, "backup.took", backup.tookMs / 1000);
  const verified = await hub.watch(() => hub.request("POST", `${paths.backups}/${encodeURIComponent(name)}/verify`));
  record(subject, "verify.wait", verified.longestMs);
  record(subject, "verify.took", verified.tookMs / 1000);
  return backup.tookMs + verified.tookMs;
}

async function makeBackup(hub: YearHub): Promise<string> {
  return (await hub.requestJson<{ backup: { name: string } }>("POST", paths.backups)).backup.name;
}

/** Measures the disk use with daily backups, made, compressed and thinned by the hub's own code, day after day. */
async function measureDiskUse(
  { dbPath: file, backupDir: dir, ...subject }: Subject,
  record: RecordMeasure,
): Promise<void> {
  rmSync(dir, { recursive: true });
  for (let day = DAYS_OF_BACKUPS; day > 0; day -= 1) {
    await finishAsync(backUp({ file, dir, kind: "daily", at: Date.now() - day * DAY_MS, bad: [] }));
  }
  const bytes = readdirSync(dir).map((name) => sizeOf(join(dir, name)));
  record(
    { ...subject, dbPath: file, backupDir: dir },
    "disk-use",
    bytes.reduce((sum, each) => sum + each, sizeOf(file)) / sizeOf(file),
  );
}

/** Kills the hub while it writes and starts it with a cold file cache; the first start may run its check to the end. */
async function measurePowerCuts(
  bench: Bench,
  standIn: StandIn,
  subject: Subject,
  record: RecordMeasure,
): Promise<void> {
  let isFirst = true;
  await repeatShort(bench, async () => {
    const hub = await startYearHub(bench, standIn, subject);
    await hub.killWhileWriting();
    if (!dropFileCache()) bench.note("year: the system's cache cannot be emptied here: the start is a warm one");
    const startedAt = performance.now();
    const program = await startHubProgram(bench, settingsOf(subject, standIn));
    const checked = new Promise<void>((resolve) => {
      program.onLine((line) => line.includes('"data file checked"') && resolve());
    });
    await health(program.url);
    record(subject, "health", performance.now() - startedAt);
    record(subject, "start", program.startedInMs);
    if (isFirst) {
      const isOver = await Promise.race([checked.then(() => true), pause(CHECK_WITHIN_MS, false, { ref: false })]);
      record(subject, "checked", isOver ? (performance.now() - startedAt) / 1000 : Number.NaN);
      if (!isOver) {
        bench.note(`year: ${subject.age}: the background check had not ended after ${CHECK_WITHIN_MS / 1000} s`);
      }
    }
    isFirst = false;
    await program.stop();
    return program.startedInMs;
  });
  rmSync(subject.folder, { recursive: true, force: true });
}

/** Runs up to three rounds for a median; stops after the first that returns more than LONG_MS. */
async function repeatShort({ flags }: Bench, measure: () => Promise<number>): Promise<void> {
  for (let round = 0; round < Math.min(flags.rounds, 3); round += 1) {
    if ((await measure()) > LONG_MS) return;
  }
}
