import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../../hub/test/support/until.ts";
import { DATA_FILE, openTestBed, type TestBed } from "../test-bed.ts";
import { expectRecovery } from "./io-errors.ts";
import { compareLedger } from "../ledger.ts";
import { reportDifferences, type Part, type Round } from "../part.ts";
import { createPreload, type Preload } from "../preload.ts";
import { health, readHub } from "../read-hub.ts";
import { ProgramEndedError } from "../../support/start-program.ts";
import { classifyEnd } from "../try-start.ts";
import { tryWrite } from "../try-write.ts";
import { withCrew, type CrewRound } from "../with-crew.ts";

const CREW = 2;
const STEPS = 40;
const DISK_MIB = 96;

/** A disk that can be full. */
interface Disk {
  name: string;
  fill(): void;
  free(): void;
}

/** The disk fills up while terminals work; it is freed later, or the hub is stopped while it is full. */
export const fullDisk: Part = {
  name: "full-disk",
  rounds: { long: 16, short: 2 },
  concurrency: 1,
  async open({ folder }) {
    const mounted = join(folder, "disk");
    mkdirSync(mounted);
    const isMounted = mount(mounted);
    let preload: Preload | undefined;
    const bed = await openTestBed(({ data }) => {
      const used = isMounted ? mounted : data;
      preload = createPreload(used, folder);
      return { ...preload.env, HUB_DB_PATH: join(used, DATA_FILE) };
    });
    const disks = [byBudget(preload!), ...(isMounted ? [bySize(mounted)] : [])];
    return {
      run(round) {
        const disk = disks[round.index % disks.length]!;
        return withCrew(
          bed,
          round,
          { name: "f", size: CREW },
          (work) => fillDisk(bed, disk, round, work),
          () => disk.free(),
        );
      },
      async close() {
        await bed.restaurant.close();
        if (isMounted) spawnSync("umount", ["-l", mounted]);
      },
    };
  },
};

async function fillDisk(bed: TestBed, disk: Disk, round: Round, { crew, ledger, reconcile }: CrewRound): Promise<void> {
  const { restaurant, tokens } = bed;
  const isStopped = [1, 2].includes(round.index % 4);
  const scenario = `a full disk (${disk.name})${isStopped ? ", and a stop and a start on it" : ""}`;
  const working = crew.work(STEPS);
  disk.fill();
  await until("a write is refused", async () => (await tryWrite(bed, ledger)) === "refused", 20_000);
  const { reasons } = await health(restaurant.hubUrl);
  if (!reasons.includes("data_file") && !reasons.includes("disk_low")) {
    round.report("hidden", `${scenario}: writes fail and health says ${reasons.join(", ") || "ok"}`);
  }
  const view = await readHub(restaurant.hubUrl, tokens);
  reportDifferences(round, scenario, compareLedger(ledger, view));
  const serves = isStopped ? await stopAndStart(bed, round, scenario) : true;
  disk.free();
  if (!serves) await restaurant.startHub();
  round.addOperations(await working);
  await expectRecovery(bed, ledger, round, scenario);
  await reconcile(scenario);
}

/** Stops the hub, which must succeed, and starts it, which may fail with one sentence. Returns whether the hub serves. */
async function stopAndStart({ restaurant }: TestBed, round: Round, scenario: string): Promise<boolean> {
  const code = await restaurant.hub().stop();
  if (code !== 0) {
    const last = restaurant.hub().output().trim().split("\n").at(-1)?.slice(0, 400);
    round.report("hidden", `${scenario}: SIGTERM ended the hub with ${code}: ${last}`);
  }
  try {
    await restaurant.startHub();
    return true;
  } catch (error) {
    if (!(error instanceof ProgramEndedError)) throw error;
    const end = classifyEnd(error.code, error.stderr);
    if (end.kind === "broke") round.report("hidden", `${scenario}: the start on it ${end.description}`);
    return false;
  }
}

/** Returns a disk that is full once the program itself has written some more bytes. */
function byBudget(preload: Preload): Disk {
  return { name: "by its writes", fill: () => preload.setBudget(20_000), free: () => preload.setBudget(null) };
}

/** Returns a separate small disk that another file can fill. */
function bySize(folder: string): Disk {
  const ballast = join(folder, "something-else");
  return {
    name: "a small one of its own",
    fill() {
      try {
        writeFileSync(ballast, Buffer.alloc(2 * DISK_MIB * 1024 * 1024));
      } catch (error) {
        if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOSPC") throw error;
      }
    },
    free: () => rmSync(ballast, { force: true }),
  };
}

/** Mounts a small disk in memory, which requires root; returns whether that succeeded. */
function mount(folder: string): boolean {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "comanda-faults", folder]);
  if (mounted.status !== 0) return false;
  process.once("exit", () => spawnSync("umount", ["-l", folder]));
  return true;
}
