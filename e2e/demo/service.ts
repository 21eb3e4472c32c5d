import type { Terminal } from "@comanda/terminal";
import type { Menu } from "./menu.ts";
import type { Waiter } from "./floor-staff.ts";
import type { Stage } from "./stage.ts";
import type { Bill, Till } from "./till.ts";

/** How a party's visit ends. */
type Ending =
  | { kind: "pays"; bill?: Bill }
  | { kind: "splits"; inParts?: true }
  | { kind: "merges" }
  | { kind: "credit"; customer: { id: number; name: string } }
  | { kind: "complains"; bill: Bill }
  | { kind: "leaves" };

const evening: { guests: number; dishes: number[]; more: number[]; ending: Ending }[] = [
  { guests: 2, dishes: [0, 5, 11], more: [21], ending: { kind: "pays" } },
  { guests: 4, dishes: [1, 6, 12, 17], more: [22, 23], ending: { kind: "splits", inParts: true } },
  { guests: 2, dishes: [2, 7], more: [], ending: { kind: "pays", bill: { type: "B02" } } },
  { guests: 3, dishes: [3, 8, 13], more: [24], ending: { kind: "pays", bill: { type: "B01", rnc: "131246788" } } },
  { guests: 1, dishes: [4], more: [], ending: { kind: "leaves" } },
  { guests: 5, dishes: [9, 14, 18, 25, 30], more: [31], ending: { kind: "pays", bill: { type: "E32" } } },
  { guests: 2, dishes: [10, 15], more: [32], ending: { kind: "merges" } },
  { guests: 2, dishes: [16, 19], more: [33], ending: { kind: "splits" } },
  {
    guests: 6,
    dishes: [20, 26, 27, 28],
    more: [34, 35],
    ending: { kind: "credit", customer: { id: 53, name: "Hotel Bahía SA" } },
  },
  { guests: 2, dishes: [29, 35], more: [], ending: { kind: "complains", bill: { type: "B02" } } },
];

/** Dishes of takeaway customers, by the number of the party after which they come. */
const takeaways = new Map([
  [3, [36, 38]],
  [7, [37, 39]],
]);

/** The people and screens of one evening. */
export interface DinnerService {
  stage: Stage;
  menu: Menu;
  waiters: [Waiter, Waiter];
  till: Till;
  tillTerminal: Terminal;
  /** Incidents of the evening, by the index of the party after whose arrival they happen. */
  incidents: ReadonlyMap<number, () => Promise<void>>;
}

/** Runs a whole evening: parties arrive one by one, and each is served until it leaves. Returns the check with a complaint. */
export async function runDinnerService(service: DinnerService): Promise<string> {
  const parties: Promise<string | undefined>[] = [];
  const background: Promise<void>[] = [];
  for (const [index] of evening.entries()) {
    parties.push(serveParty(service, index));
    const incident = service.incidents.get(index);
    if (incident !== undefined) background.push(incident());
    const dishes = takeaways.get(index);
    if (dishes !== undefined) background.push(sellToTakeAway(service, dishes));
    await service.stage.pause(5);
  }
  const [complaints] = await Promise.all([Promise.all(parties), Promise.all(background)]);
  const complaint = complaints.find((each) => each !== undefined);
  if (complaint === undefined) throw new Error("nobody has complained this evening");
  return complaint;
}

async function sellToTakeAway({ stage, till, tillTerminal }: DinnerService, dishes: readonly number[]): Promise<void> {
  const posReference = await till.sellToTakeAway(dishes);
  await stage.until(`the kitchen to pack ${posReference}`, () => isServed(tillTerminal, posReference));
  stage.log("till", `hands ${posReference} over`);
}

/** Serves one party; returns its check if the party had a dish taken off its bill. */
async function serveParty(service: DinnerService, index: number): Promise<string | undefined> {
  const { stage, menu, till, waiters, tillTerminal } = service;
  const party = evening[index];
  const table = menu.tables[index % menu.tables.length];
  if (party === undefined || table === undefined) throw new Error(`there is no party ${index}`);
  const [waiter, colleague] = index % 2 === 0 ? waiters : [waiters[1], waiters[0]];
  const { ending } = party;
  const posReference = waiter.seat(table, party.guests);
  await stage.pause(3);
  await waiter.order(posReference, party.dishes);
  if (ending.kind === "leaves") {
    await stage.pause(2);
    await untilSeenAtTill(service, posReference, waiter);
    await till.discard(posReference, "the guest left before the kitchen began");
    return undefined;
  }
  await waiter.fire(posReference);
  await stage.pause(6);
  if (party.more.length > 0) {
    // The other waiter joins in; both tablets write to the same check.
    await stage.until(`${colleague.name} to see ${posReference}`, () => colleague.terminal.order(posReference));
    await colleague.order(posReference, party.more);
    await colleague.fire(posReference);
  }
  const checks = [posReference];
  if (ending.kind === "merges") {
    const drinks = waiter.openSecondCheck(table);
    await waiter.order(drinks, [24]);
    await waiter.fire(drinks);
    await untilSeenEverywhere(service, [posReference, drinks]);
    await waiter.merge(drinks, posReference);
  }
  if (ending.kind === "splits") {
    await untilSeenEverywhere(service, [posReference]);
    checks.push(await waiter.split(posReference));
  }
  await untilSeenEverywhere(service, checks);
  if (ending.kind === "complains") await till.voidDish(posReference, "it came cold");
  for (const check of checks) {
    await stage.until(`the kitchen to serve ${check}`, () => isServed(tillTerminal, check));
    stage.log("kitchen", `has served ${check}`);
  }
  await stage.pause(4);
  for (const [number, check] of checks.entries()) {
    if (ending.kind === "credit") await till.settleOnCredit(check, ending.customer);
    else if (ending.kind === "splits" && ending.inParts && number === 0) await till.settleInParts(check);
    else await till.settle(check, "bill" in ending ? ending.bill : undefined);
    await stage.pause(1);
  }
  return ending.kind === "complains" ? posReference : undefined;
}

/** Waits until both waiters and the till see the same version of these checks. */
async function untilSeenEverywhere(service: DinnerService, checks: readonly string[]): Promise<void> {
  await Promise.all(service.waiters.map((waiter) => waiter.terminal.idle()));
  for (const check of checks) for (const waiter of service.waiters) await untilSeenAtTill(service, check, waiter);
}

async function untilSeenAtTill(service: DinnerService, posReference: string, waiter: Waiter): Promise<void> {
  await waiter.terminal.idle();
  await service.stage.until(`the till to see ${posReference}`, () =>
    hasSameVersion(waiter, service.tillTerminal, posReference),
  );
}

function hasSameVersion(waiter: Waiter, other: Terminal, posReference: string): true | undefined {
  const [mine, theirs] = [waiter.terminal.order(posReference), other.order(posReference)];
  return mine !== undefined && mine.version > 0 && mine.version === theirs?.version ? true : undefined;
}

/** Returns true once all lines of the check that are not voided are ready. */
function isServed(terminal: Terminal, posReference: string): true | undefined {
  const order = terminal.order(posReference);
  if (order === undefined || order.pending > 0) return undefined;
  const isReady = order.snapshot.lines.every(
    (line) => line.voided === true || (line.preparedQuantity ?? 0) >= line.quantity,
  );
  return isReady ? true : undefined;
}
