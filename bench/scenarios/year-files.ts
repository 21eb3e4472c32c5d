import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Bench } from "../lib/bench.ts";
import { health, type StandIn, startFront, startHub } from "../lib/hub.ts";
import { schemaDigest } from "../lib/schema-digest.ts";
import { STATIONS, writeLives } from "../year/write-lives.ts";
import { makeYearFile, requireRoom, type YearFileOptions } from "../year/year-file.ts";

const PAID_LIVES = 44;
const ACTIVE_ORDERS = 40;
/** Disk space per day of history, and of the part that is not packed yet. */
const BYTES_A_DAY = 2 * 2 ** 20;
const UNPACKED_BYTES = 64 * 2 ** 20;

/** Returns a file with so many days of history, created once per schema and kept. */
export async function cachedYearFile(bench: Bench, standIn: StandIn, days: number): Promise<YearFileOptions> {
  const livesFile = await cachedLives(bench, standIn);
  const options = { livesFile, cachedFile: join(bench.cacheFolder, `year-${days}-${digest()}.db`), days };
  if (existsSync(options.cachedFile)) return options;
  removeOutdated(bench.cacheFolder);
  requireRoom(bench.cacheFolder, days * BYTES_A_DAY + UNPACKED_BYTES);
  const startedAt = performance.now();
  makeYearFile(options);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  bench.note(`year: a file of ${days} days was made in ${seconds} s; it is kept in .cache/bench`);
  return options;
}

/** Returns a file with the lives that all days are copied from, written by a hub with terminals and a back-office. */
async function cachedLives(bench: Bench, standIn: StandIn): Promise<string> {
  const cached = join(bench.cacheFolder, `year-lives-${digest()}.db`);
  if (existsSync(cached)) return cached;
  const front = await startFront(standIn);
  const dbPath = `${cached}.new`;
  rmSync(dbPath, { force: true });
  const env = { HUB_FORWARD_INTERVAL_MS: "200", HUB_STATIONS: JSON.stringify(STATIONS) };
  const hub = await startHub(bench, { standIn, erpUrl: front.url, dbPath, env });
  await writeLives({
    url: hub.program.url,
    token: standIn.managerToken,
    tableIds: standIn.tableIds,
    methodId: standIn.methodId,
    paid: PAID_LIVES,
    active: ACTIVE_ORDERS,
  });
  const until = performance.now() + 30_000;
  while ((await health(hub.program.url)).pendingForward > 0) {
    if (performance.now() > until) throw new Error("the lives were not forwarded");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await hub.program.stop();
  await front.stop();
  // Switches off WAL, so that the file is complete without a log and can be copied as it is.
  const db = new Database(dbPath);
  db.pragma("journal_mode = DELETE");
  db.close();
  for (const suffix of [".last-seen", ".lock"]) rmSync(dbPath + suffix, { force: true });
  renameSync(dbPath, cached);
  return cached;
}

const digest = (): string => schemaDigest("bench/year");

/** Deletes kept files of other schemas: they are useless and large. */
function removeOutdated(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^year-.*\.db(\.new)?$/.test(name) && !name.includes(digest())) rmSync(join(folder, name));
  }
}
