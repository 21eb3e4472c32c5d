import { setTimeout as pause } from "node:timers/promises";
import {
  limitBody,
  startFaultyLine,
  type FaultyLine,
  type LineFault,
  type LineRequest,
} from "../../../hub/test/support/faulty-line.ts";
import { signIn } from "@comanda/terminal/node";
import { openTestBed, type TestBed } from "../test-bed.ts";
import type { Part, Round } from "../part.ts";
import { postJson, readHub, signInTerminal } from "../read-hub.ts";
import { isForwarded, paidChecks } from "../reconcile.ts";
import { withCrew, type CrewRound } from "../with-crew.ts";

const CREW = 3;
const STEPS = 60;
/** Number of calls that hang in a round. A hub cancels a hanging call after 15 s, so one is enough. */
const HANGS = { long: 1, short: 0 };
const roles = ["waiter", "cashier", "manager"] as const;

/** Payments while the connection to the back-office delays, repeats, shifts or cuts answers, or returns HTML or nothing. */
export const backOffice: Part = {
  name: "back-office",
  rounds: { long: 24, short: 2 },
  concurrency: 1,
  async open({ rounds }) {
    const line = await startFaultyLine();
    const bed = await openTestBed(({ backOfficeUrl }) => {
      line.target = backOfficeUrl;
      return { ERP_URL: line.url, HUB_FORWARD_BATCH_SIZE: "7" };
    });
    const hangs = rounds > backOffice.rounds.short ? HANGS.long : HANGS.short;
    return {
      run: (round) =>
        withCrew(
          bed,
          round,
          { name: "b", size: CREW },
          (work) => spoilLine(bed, line, round, hangs, work),
          async () => {
            line.heal();
            await refuse(bed, []);
          },
        ),
      async close() {
        await bed.restaurant.close();
        await line.stop();
      },
    };
  },
};

async function spoilLine(
  bed: TestBed,
  line: FaultyLine,
  round: Round,
  hangs: number,
  { crew, ledger, reconcile }: CrewRound,
): Promise<void> {
  const { restaurant, tokens } = bed;
  const { random, index } = round;
  const refused = [`b${index}/0/1`, `b${index}/1/2`];
  const scenario = "a back-office on a line that goes wrong";
  await refuse(bed, refused);
  // A session that the back-office ends before the hub has confirmed it would stop that terminal for the rest of the round.
  await crew.isOnline();
  line.faults(chooseFaults(round, hangs));
  const working = crew.work(STEPS);
  for (let i = 0; i < 4; i += 1) {
    await signInEverybody(bed, round, scenario);
    await pause(random.int(0, 60));
  }
  round.addOperations(await working);
  await crew.settle();
  // The connection keeps failing while the hub retries the queue.
  await pause(random.int(200, 1_200));
  line.heal();
  await retryForwards(bed);
  const unpayable = refused.filter((each) => paidChecks(ledger).has(each));
  await isForwarded(restaurant.hubUrl, unpayable.length);
  const view = await readHub(restaurant.hubUrl, tokens);
  for (const posReference of unpayable) {
    const status = view.orders.get(posReference)?.snapshot.status;
    if (view.forward.get(posReference) === "done" || status === "closed") {
      round.report("lost", `${scenario}: ${posReference} was refused and is taken for forwarded`);
    }
  }
  await refuse(bed, []);
  await retryForwards(bed);
  await reconcile(scenario);
}

function chooseFaults({ random }: Round, hangs: number): (request: LineRequest) => LineFault | null {
  const probability = random.pick([0.2, 0.5, 0.8]);
  const limit = random.chance(0.3) ? limitBody(random.int(800, 6_000)) : () => null;
  let hangsLeft = hangs;
  return (request) => {
    const tooLarge = limit(request);
    if (tooLarge !== null) return tooLarge;
    if (!random.chance(probability)) return null;
    const carriedOut = random.chance(0.5);
    if (hangsLeft > 0 && request.path.includes("/hub/") && random.chance(0.2)) {
      hangsLeft -= 1;
      return { kind: "hang", carriedOut };
    }
    return random.pick<LineFault>([
      { kind: "late", ms: random.int(10, 400) },
      { kind: "twice" },
      { kind: "twice", afterMs: random.int(1, 200) },
      { kind: "shift" },
      { kind: "shift" },
      { kind: "cut" },
      { kind: "halve" },
      { kind: "html", status: random.pick([200, 404, 413, 500, 502, 503]), carriedOut },
      { kind: "json", status: random.pick([200, 200, 401, 422, 500]), body: random.pick(strangeBodies), carriedOut },
      { kind: "reset", carriedOut },
    ]);
  };
}

const strangeBodies: unknown[] = [{}, [], null, { results: [] }, { result: {} }, { success: true }, "ok"];

/** One device per user, with its key: the hub accepts only a few new devices. */
const devices = new Map<string, { deviceId: string; deviceKey?: string | undefined }>();

/** Signs in three users with new sessions and checks their roles. A refusal or an unreachable back-office is not a finding. */
async function signInEverybody({ restaurant }: TestBed, round: Round, scenario: string): Promise<void> {
  await Promise.all(
    roles.map(async (login) => {
      const token = await signIn(restaurant.backOfficeUrl, { login, password: login });
      const own = devices.get(login) ?? { deviceId: `${login}-${crypto.randomUUID()}` };
      const terminal = await signInTerminal(restaurant.hubUrl, token, own).catch(() => null);
      round.addOperations(1);
      if (terminal === null) return;
      const { user, deviceKey = own.deviceKey } = terminal.hello;
      devices.set(login, { ...own, deviceKey });
      terminal.close();
      if (user.role !== login)
        round.report("hidden", `${scenario}: ${login} was let in as ${user.role} (${user.name})`);
    }),
  );
}

async function refuse({ restaurant }: TestBed, posReferences: string[]): Promise<void> {
  const refusal = { refuse: { posReferences, error: "the books say no", errorCode: "VALIDATION_ERROR" } };
  await postJson(
    `${restaurant.backOfficeUrl}/stub/v1/faults`,
    {},
    { faults: posReferences.length > 0 ? [refusal] : [] },
  );
}

/** Triggers the retries as a manager, without waiting for the back-off. */
async function retryForwards(bed: TestBed): Promise<void> {
  for (const state of ["pending", "attention"]) {
    await bed.post("/operator/v1/forward/retry", { state });
  }
}
