import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type HubCalls, operatorOf } from "../../../hub/test/support/operator.ts";
import { moveFiles } from "../../../hub/test/data-file/move-hub.ts";
import { createService, type EveningLedger, ledgerOf } from "../../../hub/test/data-file/restore-evening.ts";
import { send } from "../../../hub/test/support/send.ts";
import { until } from "../../../hub/test/support/until.ts";
import type { TestTerminal } from "../../../hub/test/support/connect-terminal.ts";
import { openRestaurant, type Restaurant } from "../../support/restaurant.ts";
import { compareEvenings, withoutBooked } from "./compare-evenings.ts";
import { type OpenPart, type Part, type Round } from "../part.ts";
import { signInTerminal } from "../read-hub.ts";
import { DATA_FILE } from "../test-bed.ts";
import { openTablet } from "./tablets.ts";

/** Number of steps before the backup, and after it. */
const STEPS = 25;
/** Number of acknowledged changes that an evening must exceed to be meaningful. */
const MIN_CHANGES = 20;
const SETTLED_WITHIN_MS = 60_000;
/** A check with a unique dish, which a spoiled evening discards after everything has been recovered. */
const SPOILED = { posReference: "spoiled", dish: "The dish that is thrown away" };

const recoveries = ["a restore", "another PC", "an empty start"] as const;

/** Evenings with a backup in the middle: everything is back after its restore, on another PC, or on an empty hub. */
export const evenings = createEvenings();

/** Creates the part. With `isSpoiled` a dish is lost on purpose after the recovery, to test that the comparison finds it. */
export function createEvenings({ isSpoiled = false } = {}): Part {
  return {
    name: "evenings",
    rounds: { long: 90, short: 18 },
    concurrency: 2,
    async open(): Promise<OpenPart> {
      return { run: (round) => runRound(round, isSpoiled), close: async () => {} };
    },
  };
}

async function runRound(round: Round, isSpoiled: boolean): Promise<void> {
  const recovery = recoveries[round.index % recoveries.length]!;
  let dbPath = "";
  const restaurant = await openRestaurant(({ folder }) => {
    mkdirSync(join(folder, "data"));
    dbPath = join(folder, "data", DATA_FILE);
    return {
      HUB_DB_PATH: dbPath,
      HUB_LOG_LEVEL: "error",
      HUB_EXTERNAL_RATE_MAX: "100000",
      HUB_EXTERNAL_KEY_RATE_MAX: "100000",
      // Before a restore in place nothing may reach accounting, so forwarding is slowed down.
      HUB_FORWARD_INTERVAL_MS: recovery === "a restore" ? "600000" : "200",
    };
  });
  try {
    await playEvening({ restaurant, dbPath, recovery, round, isSpoiled });
  } finally {
    await restaurant.close();
  }
}

interface Evening {
  restaurant: Restaurant;
  dbPath: string;
  recovery: (typeof recoveries)[number];
  round: Round;
  isSpoiled: boolean;
}

/** Plays an evening with a working till and two observing tablets, of which one leaves early. Then restores and compares. */
async function playEvening(evening: Evening): Promise<void> {
  const { restaurant, recovery, round, isSpoiled } = evening;
  const { random } = round;
  const hub = hubCallsOf(restaurant);
  const call = operatorOf(hub);
  const till = await openTill(restaurant);
  const service = createService(hub, `evening-${round.index}`, random);
  const [present, away] = [await openTablet(restaurant, "present"), await openTablet(restaurant, "away")];
  const leavesAt = random.int(5, 2 * STEPS - 1);
  if (isSpoiled) await openSpoiledCheck(till);
  let backup = "";
  for (let step = 0; step < 2 * STEPS; step += 1) {
    if (step === STEPS) backup = (await call("makeBackup")).body.backup.name;
    if (step === leavesAt) {
      await away.untilSynced();
      await away.goAway();
    }
    await service.step(till);
  }
  if (recovery !== "a restore") await untilForwarded(hub);
  await present.untilSynced();
  const before = await ledgerOf(hub);
  till.close();
  if (service.acknowledged() <= MIN_CHANGES) throw new Error(`only ${service.acknowledged()} things were done`);
  round.addOperations(service.acknowledged());

  const untilSettled = (promise: Promise<unknown>): Promise<unknown> =>
    promise.catch((error: Error) => round.report("stuck", `${recovery}: ${error.message}`));
  if (recovery === "a restore") await restoreInPlace(evening, hub, backup);
  else await moveAway(evening, recovery === "another PC" ? backup : null);
  for (const tablet of random.chance(0.5) ? [away, present] : [present, away])
    await untilSettled(tablet.untilOffered());
  await untilSettled(
    until("the back-office's word", async () => (await call("losses")).body.unasked === 0, SETTLED_WITHIN_MS),
  );
  const { refused } = (await call("takeOverLosses", { body: {} })).body as { refused: { posReference: string }[] };
  for (const { posReference } of refused) round.report("stuck", `${recovery}: ${posReference} cannot be recovered`);
  if (recovery !== "a restore") await untilSettled(untilForwarded(hub));
  if (isSpoiled) await discardSpoiledCheck(restaurant, hub);
  await checkEvening(evening, hub, before);
}

/** Compares the hub's state with the one before, and reports losses that are still undecided. */
async function checkEvening(
  { restaurant, recovery, round }: Evening,
  hub: HubCalls,
  before: EveningLedger,
): Promise<void> {
  const call = operatorOf(hub);
  const after = await ledgerOf(hub);
  const { booked, duplicates } = await readBooked(restaurant);
  const expected = recovery === "an empty start" ? withoutBooked(before, after, booked) : before;
  for (const { kind, description, count } of compareEvenings(expected, after))
    round.report(kind, `${recovery}: ${description}`, count);
  for (const posReference of duplicates)
    round.report("doubled", `${recovery}: ${posReference} is in the back-office twice`);
  const { losses } = (await call("losses", { query: { state: "open", limit: 200 } })).body as {
    losses: { posReference: string; kind: string }[];
  };
  for (const { posReference, kind } of losses)
    round.report("stuck", `${recovery}: ${posReference} is to be decided: ${kind}`);
  const { reasons } = (await hub.send("GET", "/health")).body as { reasons: string[] };
  for (const reason of reasons) round.report("stuck", `${recovery}: health says ${reason}`);
}

function hubCallsOf(restaurant: Restaurant): HubCalls {
  return {
    signIn: restaurant.token,
    // Closes the connection: the next request may reach a restarted hub.
    send: (method, path, options = {}) =>
      send(restaurant.hubUrl, method, path, { ...options, headers: { ...options.headers, Connection: "close" } }),
  };
}

async function openTill(restaurant: Restaurant): Promise<TestTerminal> {
  return signInTerminal(restaurant.hubUrl, await restaurant.token("cashier"), { deviceId: "till" });
}

/** Restores a backup in place of the data file, as a manager does. */
async function restoreInPlace({ restaurant }: Evening, hub: HubCalls, name: string): Promise<void> {
  const call = operatorOf(hub);
  const epoch = async (): Promise<string> => {
    const terminal = await openTill(restaurant);
    terminal.close();
    return terminal.hello.epoch;
  };
  const former = await epoch();
  const { status } = await call("restoreBackup", { params: { name }, body: { confirm: name } });
  if (status !== 202) throw new Error(`the restore was answered ${status}`);
  const hasNewEpoch = (): Promise<boolean> =>
    epoch().then(
      (now) => now !== former,
      () => false,
    );
  await until("another history", hasNewEpoch, SETTLED_WITHIN_MS);
}

/** Removes the hub's files, restores the backup if one is given, and starts a hub at the same address. */
async function moveAway({ restaurant, dbPath }: Evening, backup: string | null): Promise<void> {
  await restaurant.killHub();
  moveFiles(dbPath, backup);
  await restaurant.startHub();
}

async function untilForwarded(hub: HubCalls): Promise<void> {
  const isDone = async (): Promise<boolean> => (await hub.send("GET", "/health")).body.pendingForward === 0;
  await until("everything is forwarded", isDone, SETTLED_WITHIN_MS);
}

/** Returns the totals of the checks that are paid in the back-office, and the references that it has more than once. */
async function readBooked(restaurant: Restaurant): Promise<{ booked: Map<string, number>; duplicates: Set<string> }> {
  const { orders } = await restaurant.stub<{ orders: { posReference: string; status: string; total: number }[] }>(
    "/stub/v1/orders",
  );
  const booked = new Map<string, number>();
  const duplicates = new Set<string>();
  for (const { posReference, total } of orders.filter(({ status }) => status === "paid")) {
    if (booked.has(posReference)) duplicates.add(posReference);
    booked.set(posReference, total);
  }
  return { booked, duplicates };
}

async function openSpoiledCheck(till: TestTerminal): Promise<void> {
  const { posReference, dish: name } = SPOILED;
  const lines = [{ id: "spoiled-1", productId: 101, name, quantity: 2, unitPrice: 100, total: 200 }];
  const snapshot = { orderType: "takeout", lines };
  await till.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
}

async function discardSpoiledCheck(restaurant: Restaurant, hub: HubCalls): Promise<void> {
  const { posReference } = SPOILED;
  const { version: baseVersion } = (await operatorOf(hub)("order", { params: { posReference } })).body.order;
  const till = await openTill(restaurant);
  await till.change({ type: "ORDER_DISCARD", posReference, baseVersion });
  till.close();
}
