import type { Terminal } from "@comanda/terminal";
import type { Menu } from "@comanda/terminal/node";
import type { Waiter } from "./floor-staff.ts";
import type { Stage } from "./stage.ts";
import type { Bill, Till } from "./till.ts";

/** How a party's visit ends. */
type Ending = { kind: "pays"; bill?: Bill } | { kind: "splits" } | { kind: "leaves" };

const evening: { guests: number; dishes: number[]; more: number[]; ending: Ending }[] = [
  { guests: 2, dishes: [0, 5, 11], more: [21], ending: { kind: "pays" } },
  { guests: 4, dishes: [1, 6, 12, 17], more: [22, 23], ending: { kind: "splits" } },
  { guests: 2, dishes: [2, 7], more: [], ending: { kind: "pays", bill: { ncfType: "B02" } } },
  { guests: 3, dishes: [3, 8, 13], more: [24], ending: { kind: "pays", bill: { ncfType: "B01", rnc: "131246788" } } },
  { guests: 1, dishes: [4], more: [], ending: { kind: "leaves" } },
  { guests: 5, dishes: [9, 14, 18, 25, 30], more: [31], ending: { kind: "pays", bill: { ncfType: "E32" } } },
  { guests: 2, dishes: [10, 15], more: [32], ending: { kind: "pays" } },
  { guests: 2, dishes: [16, 19], more: [33], ending: { kind: "splits" } },
  { guests: 6, dishes: [20, 26, 27, 28], more: [34, 35], ending: { kind: "pays" } },
  { guests: 2, dishes: [29, 36], more: [], ending: { kind: "pays", bill: { ncfType: "B02" } } },
];

/** The people and screens of one evening. */
export interface DinnerService {
  stage: Stage;
  menu: Menu;
  waiters: [Waiter, Waiter];
  till: Till;
  tillTerminal: Terminal;
  served(posReference: string, version: number): boolean;
  /** What goes wrong during the evening, by the party that has just arrived. */
  incidents: ReadonlyMap<number, () => Promise<void>>;
}

/** A whole evening: parties arrive one after the other, and each is served to its end. */
export async function workDinnerService(service: DinnerService): Promise<void> {
  const parties: Promise<void>[] = [];
  for (const [index] of evening.entries()) {
    parties.push(serveParty(service, index));
    const incident = service.incidents.get(index);
    if (incident !== undefined) parties.push(incident());
    await service.stage.pause(5);
  }
  await Promise.all(parties);
}

async function serveParty(service: DinnerService, index: number): Promise<void> {
  const { stage, menu, till, waiters } = service;
  const party = evening[index];
  const table = menu.tables[index % menu.tables.length];
  if (party === undefined || table === undefined) throw new Error(`there is no party ${index}`);
  const [waiter, colleague] = index % 2 === 0 ? waiters : [waiters[1], waiters[0]];
  const posReference = waiter.seat(table, party.guests);
  await stage.pause(3);
  await waiter.order(posReference, party.dishes);
  if (party.ending.kind === "leaves") {
    await stage.pause(2);
    await seenAtTill(service, posReference, waiter);
    return till.discard(posReference, "the guest left before the kitchen began");
  }
  await waiter.fire(posReference);
  await stage.pause(6);
  if (party.more.length > 0) {
    // The other waiter passes by; both tablets write on the same check.
    await stage.until(`${colleague.name} to see ${posReference}`, () => colleague.terminal.order(posReference));
    await colleague.order(posReference, party.more);
    await colleague.fire(posReference);
  }
  await Promise.all([waiter.terminal.idle(), colleague.terminal.idle()]);
  const versions = [waiter, colleague].map(({ terminal }) => terminal.order(posReference)?.version ?? 0);
  const version = Math.max(...versions);
  await stage.until(`the kitchen to serve ${posReference}`, () => service.served(posReference, version) || undefined);
  stage.say("kitchen", `has served ${posReference}`);
  await stage.pause(4);
  const checks = [posReference];
  if (party.ending.kind === "splits") {
    const total = () => service.tillTerminal.order(posReference)?.snapshot.lines.length;
    await stage.until("both waiters to see the same", () => sameOn(waiter, service.tillTerminal, posReference));
    const before = total();
    checks.push(await waiter.split(posReference));
    await stage.until("the till to see the split", () => (total() === before ? undefined : true));
  }
  for (const check of checks) {
    await seenAtTill(service, check, waiter);
    await till.settle(check, party.ending.kind === "pays" ? party.ending.bill : undefined);
    await stage.pause(1);
  }
}

/** The guest is at the till, and so is what the waiter wrote. */
async function seenAtTill(service: DinnerService, posReference: string, waiter: Waiter): Promise<void> {
  await waiter.terminal.idle();
  await service.stage.until(`the till to see ${posReference}`, () =>
    sameOn(waiter, service.tillTerminal, posReference),
  );
}

function sameOn(waiter: Waiter, other: Terminal, posReference: string): true | undefined {
  const [mine, theirs] = [waiter.terminal.order(posReference), other.order(posReference)];
  return mine !== undefined && mine.version > 0 && mine.version === theirs?.version ? true : undefined;
}
