import { HOUR_MS, DAY_MS } from "@comanda/protocol";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TestBed } from "../test-bed.ts";
import { withTimeout } from "../../support/with-timeout.ts";
import type { Part, Round } from "../part.ts";
import { createPreload, type Preload } from "../preload.ts";
import { probeWrites } from "../probe.ts";
import { getJson, signInTerminal } from "../read-hub.ts";
import { tryWrite } from "../try-write.ts";
import { openCrewPart, type CrewRound, type WatchedBed } from "../with-crew.ts";

const CREW = 2;
const STEPS = 40;
const YEAR_MS = 365 * DAY_MS;
/** The last two lead to implausible dates: a dead CMOS battery, and the end of 32-bit time. */
const jumps = [2 * HOUR_MS, -2 * HOUR_MS, 3 * DAY_MS, -3 * DAY_MS, YEAR_MS, -YEAR_MS, -40 * YEAR_MS, 12 * YEAR_MS];
const MAX_BACKUPS = 7;

/** The wall clock jumps while the hub works and while it is down. */
export const clocks: Part = {
  name: "clocks",
  rounds: { long: 24, short: 3 },
  concurrency: 1,
  async open({ folder }) {
    checkPreload(createPreload(join(folder, "nowhere"), folder));
    return openCrewPart(folder, { name: "c", size: CREW }, shiftClocks, (preload) => preload.shiftClock(0));
  },
};

async function shiftClocks(bed: WatchedBed, round: Round, { crew, ledger, reconcile }: CrewRound): Promise<void> {
  const { restaurant, preload } = bed;
  const { random, index } = round;
  const taken: string[] = [];
  const leased = await lease(bed, `c${index}/leased`);
  const working = crew.work(STEPS);
  for (let i = 0; i < 3; i += 1) {
    await pause(random.int(20, 80));
    const jump = random.pick(jumps);
    taken.push(`${jump / HOUR_MS} h`);
    preload.shiftClock(jump);
    await tryWrite(bed, ledger);
    if (random.chance(0.3)) {
      await restaurant.killHub();
      await restaurant.startHub();
      taken.push("a restart");
    } else if (taken.every((each) => each !== "a restart")) {
      await leased.expectKept(`after jumps of ${taken.join(", ")}`, round);
    }
  }
  round.addOperations(await working);
  const scenario = `the clock ${taken.join(", then ")}`;
  await crew.settle();
  const again = await probeWrites(bed, { url: restaurant.hubUrl, ledger, random });
  for (const doubled of again.doubled) round.report("doubled", `${scenario}: ${doubled}`);
  preload.shiftClock(0);
  leased.close();
  await reconcile(scenario);
  await countBackups(bed, round, scenario);
}

/** Acquires a lease. Leases use the monotonic clock, so a jump of the wall clock must not end them. */
async function lease({ restaurant, tokens }: TestBed, posReference: string) {
  const holder = await signInTerminal(restaurant.hubUrl, tokens.cashier, { deviceId: "holds" });
  const granted = await withTimeout("a lease", holder.request({ type: "LEASE_ACQUIRE", posReference }));
  if (granted.type !== "LEASE_GRANTED") throw new Error(`no lease: ${JSON.stringify(granted)}`);
  return {
    close: () => holder.close(),
    async expectKept(moment: string, round: Round): Promise<void> {
      const other = await signInTerminal(restaurant.hubUrl, tokens.manager, { deviceId: "wants" });
      const answer = await withTimeout("an answer", other.request({ type: "LEASE_ACQUIRE", posReference }));
      if (answer.type !== "LEASE_DENIED") round.report("doubled", `${moment} a lease was given twice: ${answer.type}`);
      other.close();
    },
  };
}

async function countBackups({ restaurant, tokens }: TestBed, round: Round, scenario: string): Promise<void> {
  const { backups } = await getJson<{ backups: { kind: string }[] }>(
    `${restaurant.hubUrl}/operator/v1/backups`,
    tokens.manager,
  );
  const daily = backups.filter(({ kind }) => kind === "daily").length;
  if (daily > MAX_BACKUPS) round.report("doubled", `${scenario}: ${daily} daily backups`);
}

/** Checks that Node and SQLite see the shifted clock and the monotonic clock did not move; else the tests prove nothing. */
function checkPreload(preload: Preload): void {
  preload.shiftClock(YEAR_MS);
  const script = `
    import Database from "better-sqlite3";
    const sqlite = new Database(":memory:").prepare("SELECT strftime('%s', 'now') * 1000 AS ms").get().ms;
    console.log(JSON.stringify({ node: Date.now(), sqlite, monotonic: performance.now() }));`;
  const result = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: import.meta.dirname,
    env: { PATH: process.env["PATH"] ?? "", ...preload.env },
    encoding: "utf8",
  });
  if (result.status !== 0) throw new Error(`the shifted program failed: ${result.stderr}`);
  const clocksSeen = JSON.parse(result.stdout) as { node: number; sqlite: number; monotonic: number };
  const isShifted = (ms: number): boolean => Math.abs(ms - Date.now() - YEAR_MS) < 60_000;
  if (!isShifted(clocksSeen.node) || !isShifted(clocksSeen.sqlite) || clocksSeen.monotonic > 60_000) {
    throw new Error(`the clock's preload does not work: ${result.stdout}`);
  }
}
