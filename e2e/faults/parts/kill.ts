import { setTimeout as pause } from "node:timers/promises";
import type { Restaurant } from "../../support/restaurant.ts";
import { ProgramEndedError } from "../../support/start-program.ts";
import { until } from "../../../hub/test/support/until.ts";
import type { TestBed } from "../test-bed.ts";
import type { Ledger } from "../ledger.ts";
import type { Part, Round } from "../part.ts";
import type { Action, Operation, Preload } from "../preload.ts";
import { tryStart } from "../try-start.ts";
import { tryWrite } from "../try-write.ts";
import { openCrewPart, type CrewRound, type WatchedBed } from "../with-crew.ts";

const CREW = 3;
const STEPS = 45;

/** The hub is killed with SIGKILL while terminals work, at any moment or at a chosen system call, and started again. */
export const kill: Part = {
  name: "kill",
  rounds: { long: 40, short: 3 },
  concurrency: 1,
  open: ({ folder }) => openCrewPart(folder, { name: "k", size: CREW }, killHub, (preload) => preload.setRule(null)),
};

async function killHub(bed: WatchedBed, round: Round, { crew, ledger, reconcile }: CrewRound): Promise<void> {
  const working = crew.work(STEPS);
  const ordering = orderUntil(working, bed, ledger);
  const scenario =
    round.index % 2 === 0
      ? await killSometime(bed.restaurant, ledger.acknowledged, round)
      : await killAtCall(bed.restaurant, bed.preload, round);
  round.addOperations((await working) + (await ordering));
  await reconcile(scenario);
  if (round.index % 4 === 2) await startSecondHub(bed, round);
}

/** Checks that a second hub refuses to start on the same data file. */
async function startSecondHub(bed: TestBed, round: Round): Promise<void> {
  const start = await tryStart(bed.envOn(bed.data), round.folder);
  round.addOperations(1);
  if (start.kind === "refused") return;
  if (start.kind === "serves") await start.hub.kill();
  round.report(
    "hidden",
    `a second hub on the same data file: ${start.kind === "serves" ? "serves too" : start.description}`,
  );
}

/** Sends orders through the integration API until `work` settles; returns the number of requests. */
async function orderUntil(work: Promise<unknown>, bed: TestBed, ledger: Ledger): Promise<number> {
  let isOver = false;
  void work.finally(() => (isOver = true)).catch(() => {});
  let requests = 0;
  for (; !isOver; requests += 1) {
    await tryWrite(bed, ledger);
    await pause(15);
  }
  return requests;
}

async function killSometime(restaurant: Restaurant, acknowledged: unknown[], { random }: Round): Promise<string> {
  const kills = random.int(1, 3);
  for (let i = 0; i < kills; i += 1) {
    const enough = acknowledged.length + random.int(1, 15);
    // The crew may finish its work before.
    await Promise.race([until("acknowledgements", () => acknowledged.length >= enough).catch(() => {}), pause(1_000)]);
    await pause(random.int(0, 15));
    await restaurant.killHub();
    await restaurant.startHub();
  }
  return `killed ${kills} times, at any moment`;
}

async function killAtCall(restaurant: Restaurant, preload: Preload, { random }: Round): Promise<string> {
  const on = random.pick<Operation>(["sync", "sync", "write", "write", "truncate", "unlink", "open"]);
  const action = random.pick<Action>(["kill-before", "kill-after", "kill-halfway"]);
  const atStart = random.chance(0.4);
  const skip = random.int(0, { sync: 40, write: 200, truncate: 2, unlink: 2, open: 8, rename: 2, read: 50 }[on]);
  if (atStart) await restaurant.killHub();
  preload.setRule({ on: [on], action, skip: atStart ? Math.floor(skip / 5) : skip });
  if (atStart) await tryStartHub(restaurant);
  await Promise.race([restaurant.hub().ended, pause(1_500)]);
  preload.setRule(null);
  await restaurant.killHub();
  await restaurant.startHub();
  return `${action} at ${on} number ${skip}${atStart ? " of the start" : ""}`;
}

/** Starts the hub; it may be killed during its start. */
async function tryStartHub(restaurant: Restaurant): Promise<void> {
  try {
    await restaurant.startHub();
  } catch (error) {
    if (!(error instanceof ProgramEndedError) || error.code !== null) throw error;
  }
}
