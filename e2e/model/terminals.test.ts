// @module-tag long
import { isActive, type OperatorTicket, type StoredOrder } from "@comanda/protocol";
import type { LocalOrder, Terminal } from "@comanda/terminal";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPrinters, type Printers } from "../paper/printers.ts";
import { eventually } from "../support/eventually.ts";
import { online, openRestaurant, type Restaurant } from "../support/restaurant.ts";
import { openBackRoom, type BackRoom } from "./back-room.ts";
import { beginEvening, type MutationAnswer, type Evening } from "./evening.ts";
import { anyEvening, type Step } from "./steps.ts";

/** New evenings begin for this long (ms); the last one is worked to its end. */
const LONGEST_MS = 45_000;
/** Time limit of an evening (ms). It exceeds each single wait, whose timeout names what it waited for. */
const EVENING_MS = 90_000;
/** Refusals that are legitimate when three people work on the same check; any other is a bug. */
const honestReasons = new RegExp(
  [
    "^(ORDER_(UPSERT|BATCH|CHECKOUT|REOPEN|PAY|DISCARD) (CONFLICT|ORDER_LOCKED|NOT_FOUND)",
    "ORDER_(TENDER|TENDER_VOID) (ORDER_LOCKED|NOT_FOUND)",
    "(ORDER_SEND|KITCHEN_BUMP) NOT_FOUND",
    "ORDER_(UPSERT|BATCH) SENT_LINES_IMMUTABLE",
    "ORDER_REOPEN VALIDATION_ERROR",
    // Others have paid or removed lines since this person saw the check.
    "ORDER_(PAY|TENDER) VALIDATION_ERROR",
    // Fewer were sent than this person saw on the line.
    "KITCHEN_BUMP VALIDATION_ERROR",
    "ORDER_(UPSERT|BATCH|DISCARD) HAS_PAYMENTS",
    // A waiter tried what only a cashier may do.
    "ORDER_(PAY|TENDER|TENDER_VOID|DISCARD) FORBIDDEN)$",
  ].join("|"),
);

/** Products with odd numbers go to the kitchen, those with even numbers to the bar. */
const stations = [
  { id: "kitchen", name: "Cocina", productIds: [1] },
  { id: "bar", name: "Bar", productIds: [2] },
];

let restaurant: Restaurant;
let printers: Printers;
beforeAll(async () => {
  restaurant = await openRestaurant({
    HUB_LOG_LEVEL: "warn",
    HUB_GRACE_MS: "200",
    HUB_HEARTBEAT_MS: "2000",
    HUB_STATIONS: JSON.stringify(stations),
  });
  printers = await openPrinters(
    restaurant,
    stations.map(({ id }) => id),
  );
});
afterAll(async () => {
  await printers?.stop();
  await restaurant?.close();
});

it(
  "random evenings lose and double nothing, and leave every terminal with the hub's state [CLIENT-30] [CLIENT-32]",
  async () => {
    let evenings = 0;
    let stepCount = 0;
    const lastCall = performance.now() + LONGEST_MS;
    const property = fc.asyncProperty(anyEvening, async (steps) => {
      if (performance.now() > lastCall) return;
      const evening = await beginEvening(restaurant, `e${(evenings += 1)}`);
      stepCount += steps.length;
      try {
        await work(evening, steps);
      } finally {
        await evening.close();
      }
    });
    await fc.assert(property, { numRuns: 300, timeout: EVENING_MS, endOnFailure: true });
    process.stdout.write(`${evenings} evenings with ${stepCount} steps\n`);
    expect(evenings).toBeGreaterThan(3);
  },
  LONGEST_MS + 2 * EVENING_MS,
);

async function work(evening: Evening, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await evening.perform(step);
    // Lets the network deliver messages between two taps.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const refused = await evening.finish();
  expect(refused.map(({ reason }) => reason).filter((reason) => !honestReasons.test(reason))).toEqual([]);

  const { terminals, model, answers } = evening;
  const name = terminals[0]?.deviceId.split("-")[0] ?? "";
  const backRoom = openBackRoom(restaurant, `${name}/`);
  const payments = await backRoom.keptPayments();
  for (const { payment, errorCode, amount } of refused) {
    // A payment refused as invalid and not kept was a mistake; the others were taken, and a manager has them.
    if (payment === null || errorCode !== "VALIDATION_ERROR") continue;
    if (!payments.some((each) => each.errorCode === "VALIDATION_ERROR" && each.amount === amount)) {
      evening.money.neverTaken(payment);
    }
  }
  await backRoom.handlePayments();
  expect(await backRoom.openPayments()).toEqual([]);
  const newcomer = await restaurant.terminal(`${terminals[0]?.deviceId}-newcomer`);
  await online(newcomer);
  // One more change, so that a terminal that missed the last one notices the gap.
  await newcomer.reserveTable(37);
  await newcomer.unreserveTable(37);
  const isBooked = (terminal: Terminal) =>
    terminal.orders().every(({ snapshot }) => snapshot.status !== "paid" && snapshot.fiscal?.status !== "pending");
  await eventually(() => isBooked(newcomer)).toBe(true);
  await eventually(() => terminals.every((terminal) => terminal.seq() === newcomer.seq())).toBe(true);
  const state = stateOf(newcomer);
  await newcomer.stop();
  for (const terminal of terminals) expect(stateOf(terminal)).toEqual(state);

  const orders = state.orders.filter(({ posReference }) => posReference.startsWith(`${name}/`));
  const tickets = await backRoom.tickets();
  await expectOneTicketEach(orders, answers, tickets);
  const paid = orders.filter(({ snapshot }) => !isActive(snapshot.status)).map(({ posReference }) => posReference);
  expect((await printers.compare(tickets, paid)).differences).toEqual([]);
  const missing = [...evening.money.byOrder().keys()].filter(
    (ref) => !orders.some((order) => order.posReference === ref),
  );
  const discarded = (await Promise.all(missing.map(backRoom.lastContent))).flatMap((order) => order ?? []);
  expectEveryPeso(evening, [...orders, ...discarded], await backRoom.returnedPayments());
  expectPaidOrdersBooked(evening, orders, await backRoom.books());
  for (const order of orders) {
    expect(linesIn(order)).toEqual(model.orders().get(order.posReference) ?? new Map());
    expectGapless(order, answers, await backRoom.versionsByTerminals(order.posReference));
  }
}

function stateOf(terminal: Terminal): { orders: LocalOrder[]; tables: unknown[] } {
  const orders = terminal.orders().toSorted((one, other) => (one.posReference < other.posReference ? -1 : 1));
  return { orders, tables: terminal.tables().toSorted((one, other) => one.tableId - other.tableId) };
}

function linesIn({ snapshot }: { snapshot: StoredOrder["snapshot"] }): Map<string, number> {
  return new Map(snapshot.lines.map((line) => [line.id, line.quantity]));
}

/** Checks that nothing went to the kitchen twice or to a wrong station. Finished dishes of discarded checks stay on tickets. */
async function expectOneTicketEach(
  orders: LocalOrder[],
  answers: MutationAnswer[],
  tickets: readonly OperatorTicket[],
): Promise<void> {
  const sent = sums(
    orders.flatMap(({ snapshot }) => snapshot.lines.map((line) => [line.id, line.sentQuantity ?? 0] as const)),
  );
  const ticketLines = tickets.flatMap((ticket) =>
    ticket.lines.map((line) => ({ ...line, stationId: ticket.stationId })),
  );
  for (const { productId, stationId } of ticketLines) expect(stationId).toBe(productId === "1" ? "kitchen" : "bar");
  const ticketed = sums(ticketLines.map((line) => [line.lineId, line.quantity - line.cancelledQuantity] as const));
  const hasDiscarded = answers.some(({ type }) => type === "ORDER_DISCARD");
  for (const lineId of new Set([...sent.keys(), ...ticketed.keys()])) {
    const [onLines, onTickets] = [sent.get(lineId) ?? 0, ticketed.get(lineId) ?? 0];
    if (hasDiscarded) expect(onTickets).toBeGreaterThanOrEqual(onLines);
    else expect(onTickets).toBe(onLines);
  }
}

/** Checks that every payment is on its check (even if discarded later), was given back there, or was returned by a manager. */
function expectEveryPeso(
  { money }: Evening,
  orders: readonly Pick<StoredOrder, "posReference" | "snapshot">[],
  returned: readonly { posReference: string; amount: number }[],
): void {
  const onChecks = orders.flatMap(({ posReference, snapshot }) => {
    const { tenders = [], payments } = snapshot;
    const back = tenders.filter(({ voided }) => voided !== undefined);
    const current = payments ?? tenders.filter(({ voided }) => voided === undefined);
    return [...current, ...back].map((each) => [posReference, Number(each["tendered"] ?? each.amount)] as const);
  });
  const found = sums([...onChecks, ...returned.map(({ posReference, amount }) => [posReference, amount] as const)]);
  expect(found).toEqual(sums([...money.byOrder()]));
}

/** Checks that the back-office has each paid check once, fully paid, with its own fiscal number if one was requested. */
function expectPaidOrdersBooked(
  { paid }: Evening,
  orders: LocalOrder[],
  { orders: booked, numbers }: Awaited<ReturnType<BackRoom["books"]>>,
): void {
  const closed = orders.filter(({ snapshot }) => snapshot.status === "closed");
  expect(booked.map(({ posReference }) => posReference).toSorted()).toEqual(
    closed.map(({ posReference }) => posReference).toSorted(),
  );
  for (const { posReference, snapshot } of closed) {
    const bookedOrder = booked.find((order) => order.posReference === posReference);
    const settled = bookedOrder?.order.snapshot.payments.reduce((sum, { amount }) => sum + amount, 0);
    expect(settled).toBeCloseTo(snapshot.totals.total, 2);
    const own = numbers.filter((number) => number.posReference === posReference);
    const payment = paid.get(posReference);
    if (payment?.by !== undefined) expect(snapshot["paidBy"]).toBe(payment.by);
    if (payment !== undefined) expect(own).toHaveLength(payment.receipt ? 1 : 0);
    expect(own.map(({ ncf }) => ncf)).toEqual(snapshot.ncf === undefined ? [] : [snapshot.ncf]);
  }
  expect(new Set(numbers.map(({ ncf }) => ncf)).size).toBe(numbers.length);
  expect(numbers.every(({ state }) => state === "used")).toBe(true);
}

function sums(entries: (readonly [string, number])[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const [id, quantity] of entries) found.set(id, (found.get(id) ?? 0) + quantity);
  return new Map([...found].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Checks that every version not written by the hub came from a mutation, and that no mutation was carried out twice. */
function expectGapless({ posReference }: LocalOrder, answers: MutationAnswer[], written: readonly number[]): void {
  const own = onePerMutation(answers.filter((each) => each.posReference === posReference));
  // If these mutations change nothing, the answer has the present version.
  const maybeUnchanged = ["ORDER_SEND", "KITCHEN_BUMP", "ORDER_TENDER_VOID"];
  const writes = own.filter(({ type }) => !maybeUnchanged.includes(type)).map((each) => each.version);
  expect(new Set(writes).size).toBe(writes.length);
  const versions = new Set(own.map((each) => each.version));
  expect(written.filter((version) => !versions.has(version))).toEqual([]);
}

/** Returns one answer per mutation; repeated answers must be equal. */
function onePerMutation(answers: readonly MutationAnswer[]): MutationAnswer[] {
  const byMutation = new Map<string, MutationAnswer>();
  for (const each of answers) {
    expect(each.version).toBe((byMutation.get(each.mutationId) ?? each).version);
    byMutation.set(each.mutationId, each);
  }
  return [...byMutation.values()];
}
