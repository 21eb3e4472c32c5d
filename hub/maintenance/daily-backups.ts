import { logEvent } from "../platform/log-event.ts";
import { type BackupFailure, HOUR_MS, restaurantClock } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { hasSpace } from "../db/files/disk-space.ts";
import { bytesOfCopy } from "../db/backups/make-backup.ts";
import { JobCancelled } from "../jobs/jobs.ts";
import { codeOf, messageOf } from "../platform/error-facts.ts";
import { createLoop } from "../platform/loop.ts";
import { isoTime, type World } from "../platform/world.ts";
import { createRunTime } from "../time/run-time.ts";
import type { Backups } from "./backups.ts";

export type DailyBackups = ReturnType<typeof createDailyBackups>;

/** By then, the start is over. */
const AFTER_MS = 5_000;
const EVERY_MS = 60_000;
/** From this hour on, in the restaurant's time zone, it waits for a quiet moment. */
const QUIET_HOUR = 4;
const QUIET_MS = 5 * 60_000;
/** Shortest and longest time between two daily backups, whatever the clock says. */
const MIN_INTERVAL_MS = 8 * HOUR_MS;
const LATEST_MS = 26 * HOUR_MS;
/** Delays after the first failed attempts. Later ones use the longest delay. */
const RETRY_MINUTES = [5, 15, 30, 60, 120];
const MAX_RETRY_MINUTES = 240;

const reasons: Readonly<Record<string, BackupFailure["reason"]>> = { NO_SPACE: "no_space", ENODEV: "missing" };

interface Outage extends Omit<BackupFailure, "nextAttemptAt"> {
  attempts: number;
  /** In terms of `elapsed`. */
  nextAt: number;
}

/**
 * Makes a backup each day in the quiet hour. A failure degrades `/health` (`backup`) and is reported once. Retries become less
 * frequent, but follow at once when there is space again.
 */
export function createDailyBackups(deps: {
  world: World;
  changes: ChangeLog;
  backups: Backups;
  dbPath: string;
  backupDir: string;
  /** The restaurant's. */
  timeZone: string;
}) {
  const { world, changes, backups, dbPath, backupDir } = deps;
  const clock = restaurantClock(deps.timeZone);
  const { elapsed } = createRunTime(world.clock);
  const loop = createLoop(world, "daily backups", EVERY_MS, run);
  let timer: NodeJS.Timeout | undefined;
  /** In terms of `elapsed`: -Infinity if there is none, undefined before the folder was read. */
  let lastAt: number | undefined;
  let changedAt = -Infinity;
  let outage: Outage | null = null;

  changes.addListener((group) => {
    if (group.some(({ kind }) => kind !== "notice")) changedAt = elapsed();
  });
  backups.onResult(({ ok, isNew }) => {
    if (ok && isNew) outage = null;
    // The damaged backup may be today's, so the folder is read again.
    if (!ok) lastAt = undefined;
  });

  async function run(): Promise<void> {
    if (outage !== null && !isTimeToRetry(outage)) return;
    try {
      lastAt ??= await readLast();
      if (isDue(lastAt)) await attempt();
    } catch (error) {
      if (error instanceof JobCancelled) return;
      await fail(reasons[codeOf(error)] ?? "failed", messageOf(error));
    }
  }

  /** Uses the absolute distance, also for a backup from the future: clocks are set back. */
  async function readLast(): Promise<number> {
    const daily = (await backups.listOwn()).filter(({ kind, name }) => kind === "daily" && !backups.isBad(name));
    const ages = daily.map(({ createdAt }) => Math.abs(world.clock.now() - createdAt));
    return elapsed() - Math.min(Infinity, ...ages);
  }

  function isDue(last: number): boolean {
    const age = elapsed() - last;
    if (age >= LATEST_MS) return true;
    const isQuiet = elapsed() - changedAt >= QUIET_MS;
    const now = world.clock.now();
    // Negative before the quiet hour.
    const sinceQuietHour = (clock.hour(now) - QUIET_HOUR) * HOUR_MS + now - Date.parse(clock.hourBegan(now));
    return age >= MIN_INTERVAL_MS && isQuiet && sinceQuietHour >= 0 && age > sinceQuietHour;
  }

  function isTimeToRetry({ reason, nextAt }: Outage): boolean {
    if (elapsed() >= nextAt) return true;
    return reason === "no_space" && hasSpace(backupDir, bytesOfCopy(dbPath));
  }

  async function attempt(): Promise<void> {
    const startedAt = elapsed();
    const { ok, path, bytes, detail } = await backups.make("daily", (tx, made) => {
      if (!made.ok) return;
      tx.notify(["backups", "data_file"], { kind: "backup_made", level: "info", detail: { text: made.name } });
    });
    if (!ok) return fail("damaged", detail);
    // It contains the state from when it began.
    lastAt = startedAt;
    world.log.info(logEvent("daily_backup_made", { file: path, bytes }), "daily backup made");
  }

  async function fail(reason: Outage["reason"], detail: string): Promise<void> {
    const isFirst = outage === null;
    const attempts = (outage?.attempts ?? 0) + 1;
    const waitMs = 60_000 * (RETRY_MINUTES[attempts - 1] ?? MAX_RETRY_MINUTES);
    const since = outage?.since ?? isoTime(world.clock.now());
    outage = { reason, detail, since, attempts, nextAt: elapsed() + waitMs };
    world.log.error(
      logEvent("daily_backup_failed", { reason, detail, attempts, nextInMs: waitMs }),
      "the daily backup could not be made",
    );
    const feed = { kind: "backup_failed", level: "bad" } as const;
    await changes.write((tx) => tx.notify(["backups"], isFirst ? feed : undefined));
  }

  return {
    start(): void {
      timer = world.timers.setTimeout(loop.start, AFTER_MS);
    },
    async stop(): Promise<void> {
      world.timers.clearTimeout(timer);
      await backups.stop();
      await loop.stop();
    },
    isFailing: (): boolean => outage !== null,
    /** Returns why daily backups fail at present, or null. */
    failure(): BackupFailure | null {
      if (outage === null) return null;
      const { reason, detail, since, nextAt } = outage;
      const nextInMs = Math.max(0, nextAt - elapsed());
      return { reason, detail, since, nextAttemptAt: isoTime(world.clock.now() + nextInMs) };
    },
  };
}
