import type { StoredOrder } from "@comanda/protocol";
import type { LocalOrder, Terminal } from "@comanda/terminal";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../support/eventually.ts";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";
import { beginEvening, type Answered, type Evening } from "./evening.ts";
import { anyEvening, type Step } from "./steps.ts";

/** How long new evenings begin; the last one is worked to its end. */
const LONGEST_MS = 45_000;
/** An evening that takes longer hangs. */
const EVENING_MS = 30_000;
/** What the hub may refuse when three people work on the same check; anything else is a bug. */
const honestReasons =
  /^(ORDER_(UPSERT|BATCH|CHECKOUT|REOPEN|PAY|DISCARD) (CONFLICT|ORDER_LOCKED|NOT_FOUND)|(ORDER_SEND|KITCHEN_BUMP) (ORDER_LOCKED|NOT_FOUND)|ORDER_(UPSERT|BATCH) SENT_LINES_IMMUTABLE|ORDER_REOPEN VALIDATION_ERROR)$/;

let restaurant: Restaurant;
beforeAll(async () => {
  restaurant = await openRestaurant({ HUB_LOG_LEVEL: "warn", HUB_GRACE_MS: "200", HUB_HEARTBEAT_MS: "2000" });
});
afterAll(() => restaurant?.close());

it(
  "[CLIENT-30] [CLIENT-32] loses no change, doubles none, and leaves every terminal with the hub's state",
  async () => {
    let evenings = 0;
    const lastCall = performance.now() + LONGEST_MS;
    const property = fc.asyncProperty(anyEvening, async (steps) => {
      if (performance.now() > lastCall) return;
      const evening = await beginEvening(restaurant, `e${(evenings += 1)}`);
      try {
        await work(evening, steps);
      } finally {
        await evening.close();
      }
    });
    await fc.assert(property, { numRuns: 300, timeout: EVENING_MS, endOnFailure: true });
    expect(evenings).toBeGreaterThan(3);
  },
  LONGEST_MS + 2 * EVENING_MS,
);

async function work(evening: Evening, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await evening.take(step);
    // Lets the network have its say between two taps.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const reasons = await evening.finish();
  expect(reasons.filter((reason) => !honestReasons.test(reason))).toEqual([]);

  const { terminals, model, answered, paid } = evening;
  const newcomer = await restaurant.terminal(`${terminals[0]?.deviceId}-newcomer`);
  await online(newcomer);
  // One more change, so that a terminal whose last one was lost finds the hole.
  await newcomer.reserveTable(17);
  await newcomer.unreserveTable(17);
  await eventually(() => terminals.every((terminal) => terminal.seq() === newcomer.seq())).toBe(true);
  const state = stateOf(newcomer);
  await newcomer.stop();
  for (const terminal of terminals) expect(stateOf(terminal)).toEqual(state);

  const name = terminals[0]?.deviceId.split("-")[0] ?? "";
  const orders = state.orders.filter(({ posReference }) => posReference.startsWith(`${name}/`));
  expectOneTicketEach(orders, answered);
  for (const order of orders) {
    expect(linesIn(order)).toEqual(model.orders().get(order.posReference) ?? new Map());
    expectGapless(order, answered);
    if (paid.has(order.posReference)) expect(order.snapshot.totals.total).toBe(paid.get(order.posReference));
  }
}

function stateOf(terminal: Terminal): { orders: LocalOrder[]; tables: unknown[] } {
  const orders = terminal.orders().toSorted((one, other) => (one.posReference < other.posReference ? -1 : 1));
  return { orders, tables: terminal.tables().toSorted((one, other) => one.tableId - other.tableId) };
}

function linesIn({ snapshot }: { snapshot: StoredOrder["snapshot"] }): Map<string, number> {
  return new Map(snapshot.lines.map((line) => [line.id, line.quantity]));
}

/** Nothing went to the kitchen twice. A check that is gone took its tickets with it, also those of lines that were moved. */
function expectOneTicketEach(orders: LocalOrder[], answered: Answered[]): void {
  const [sent, tickets] = [sentToKitchen(orders), ticketed(orders)];
  const known = new Set(orders.map(({ posReference }) => posReference));
  if (answered.every(({ posReference }) => known.has(posReference))) return expect(tickets).toEqual(sent);
  for (const [lineId, quantity] of tickets) expect(quantity).toBeLessThanOrEqual(sent.get(lineId) ?? Infinity);
}

/** How much of each line the kitchen has, as the lines say. */
function sentToKitchen(orders: LocalOrder[]): Map<string, number> {
  return sums(
    orders.flatMap(({ snapshot }) => snapshot.lines.map((line) => [line.id, line.sentQuantity ?? 0] as const)),
  );
}

/** The same, as the tickets say. */
function ticketed(orders: LocalOrder[]): Map<string, number> {
  const lines = orders.flatMap(({ snapshot }) => snapshot.lines.map((line) => [line.id, 0] as const));
  const tickets = orders.flatMap(({ snapshot }) => snapshot.kitchenTickets ?? []);
  return sums([
    ...lines,
    ...tickets.flatMap((ticket) => ticket.lines.map((line) => [line.lineId, line.quantity] as const)),
  ]);
}

function sums(entries: (readonly [string, number])[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [id, quantity] of entries) found.set(id, (found.get(id) ?? 0) + quantity);
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Every version up to the last came from exactly one carried-out mutation; a paid order is closed by the hub. */
function expectGapless({ posReference, version, snapshot }: LocalOrder, answered: Answered[]): void {
  const own = answered.filter((each) => each.posReference === posReference);
  // A send or a bump that changes nothing answers with the version that is there.
  const writes = own.filter(({ type }) => type !== "ORDER_SEND" && type !== "KITCHEN_BUMP").map((each) => each.version);
  expect(new Set(writes).size).toBe(writes.length);
  const versions = [...new Set(own.map((each) => each.version))].toSorted((one, other) => one - other);
  const ofTerminals = snapshot.status === "closed" ? version - 1 : version;
  expect(versions).toEqual(Array.from({ length: ofTerminals }, (_, index) => index + 1));
}
