import { setTimeout as pause } from "node:timers/promises";
import { until } from "../../../hub/test/support/until.ts";
import type { TestBed } from "../test-bed.ts";
import type { Ledger } from "../ledger.ts";
import type { Part, Round } from "../part.ts";
import type { Action, Operation, Rule } from "../preload.ts";
import { health } from "../read-hub.ts";
import { classifyEnd } from "../try-start.ts";
import { tryWrite } from "../try-write.ts";
import { openCrewPart, type CrewRound, type WatchedBed } from "../with-crew.ts";

const CREW = 2;
const STEPS = 40;
const UNLIMITED = 1_000_000;

/** The disk returns errors while terminals work: nothing acknowledged is lost, and failing writes are reported. */
export const ioErrors: Part = {
  name: "io-errors",
  rounds: { long: 40, short: 5 },
  concurrency: 1,
  open: ({ folder }) => openCrewPart(folder, { name: "i", size: CREW }, failDisk, (preload) => preload.setRule(null)),
};

async function failDisk(bed: WatchedBed, round: Round, { crew, ledger, reconcile }: CrewRound): Promise<void> {
  const { restaurant, preload } = bed;
  const { random } = round;
  const working = crew.work(STEPS);
  await pause(random.int(0, 60));
  const rule = chooseRule(round);
  const scenario = `${rule.action} at ${rule.on.join(" and ")}, ${rule.times === UNLIMITED ? "for long" : `${rule.times} times`}`;
  const firedBefore = preload.fired();
  preload.setRule(rule);
  if (rule.on[0] === "rename" || rule.on[0] === "open") await bed.post("/operator/v1/backups", {}).catch(() => {});
  const isFailing = rule.times === UNLIMITED && (rule.on.includes("write") || rule.on.includes("sync"));
  if (isFailing) await expectWritesFail(bed, ledger, round, scenario);
  round.addOperations(await working);
  if (rule.times !== UNLIMITED) await pause(50);
  preload.setRule(null);
  round.addOperations(preload.fired() - firedBefore);
  await expectRecovery(bed, ledger, round, scenario);
  // Kills the hub half of the time: data that it failed to write must not survive in its memory only.
  if (random.chance(0.5)) {
    await restaurant.killHub();
    await restaurant.startHub();
  }
  await reconcile(scenario);
}

function chooseRule({ random, index }: Round): Rule {
  const failing: (readonly Operation[])[] = [
    ["write"],
    ["sync"],
    ["write", "sync"],
    ["truncate"],
    ["open"],
    ["rename"],
    ["read"],
  ];
  const on = index % 3 === 0 ? random.pick(failing.slice(0, 3)) : random.pick(failing);
  const action: Action = random.pick(["EIO", "ENOSPC"]);
  const isPersistent = index % 3 === 0 || random.chance(0.4);
  return { on, action, skip: random.int(0, 20), times: isPersistent ? UNLIMITED : random.int(1, 4) };
}

/** Checks that no write is acknowledged while every write to the disk fails, and that health reports it. */
async function expectWritesFail(bed: TestBed, ledger: Ledger, round: Round, scenario: string): Promise<void> {
  const { hubUrl, hub } = bed.restaurant;
  // The rule may let the first writes pass.
  const refused = until("a write is refused", async () => (await tryWrite(bed, ledger)) !== "acknowledged", 15_000);
  const isOver = await Promise.race([refused.then(() => false), hub().ended.then(() => true)]);
  if (isOver) return;
  const { reasons } = await health(hubUrl);
  if (!reasons.includes("data_file") && !reasons.includes("disk_low")) {
    round.report("hidden", `${scenario}: writes fail and health says ${reasons.join(", ") || "ok"}`);
  }
}

/** Checks that writes succeed after the disk has recovered and that health reports no failure. Starts a hub that has ended. */
export async function expectRecovery(bed: TestBed, ledger: Ledger, round: Round, scenario: string): Promise<void> {
  const { restaurant } = bed;
  const ended = await Promise.race([restaurant.hub().ended, pause(20, "runs" as const)]);
  if (ended !== "runs") {
    const end = classifyEnd(ended, restaurant.hub().errors());
    if (end.kind === "broke") round.report("hidden", `${scenario}: the hub ${end.description}`);
    await restaurant.startHub();
  }
  await until("a write is taken again", async () => (await tryWrite(bed, ledger)) === "acknowledged", 20_000);
  const isQuiet = async (): Promise<boolean> => !(await health(restaurant.hubUrl)).reasons.includes("data_file");
  await until("data_file goes from health", isQuiet, 20_000);
}
