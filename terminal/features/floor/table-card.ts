import type { BackOfficeFloor, KitchenTicket, StoredLine, TableState } from "@comanda/protocol";
import { isOnPaper, seatedFirst, sum, quantityToMake } from "@comanda/rules";
import { amountDue, type Booking, type LocalOrder, type Whereabouts } from "@comanda/terminal";
import { countUnsent, heldCourses, lastSentAt, paidUnsentLines, toSend } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { readyByCheck } from "../../checks/ready-dishes.ts";
import type { InUse } from "../../lib/connection/in-use.ts";

/** The facts about a table that a waiter needs without opening it. */
export interface TableCard {
  tableId: number;
  name: string;
  seats: number;
  /** Active checks of the table, oldest first. */
  checks: readonly LocalOrder[];
  state: TableCardState;
  /** When the party sat down, of several the first; ISO 8601. */
  since: string | null;
  due: number;
  /** Unsent dishes, without held courses, but with those of paid checks. */
  unsent: number;
  /** The next held course, and since when: the last send, ISO 8601. */
  held: { course: number; since: string | null } | null;
  ready: number;
  /** The number of guests; checks that were split off repeat that of the whole party. */
  guests: number;
  /** The waiters of its checks. */
  staff: readonly string[];
  /** Whether the user serves one of its checks. */
  isMine: boolean;
  /** The other tables joined for the same party. */
  joined: readonly string[];
  /** Other users who have the table open now. */
  people: readonly string[];
  /** Another user who is editing one of its checks. */
  usedBy: string | null;
  /** Whether changes made here wait for that user. */
  isWaiting: boolean;
  /** The user who has locked the table for a moment. */
  lockedBy: string | null;
  /** An upcoming, due or late booking. */
  booking: Booking | null;
}

/** The most urgent fact about a table. */
export type TableCardState =
  | "free"
  | "booked"
  | "due"
  | "late"
  | "open"
  | "unsent"
  | "toSend"
  | "held"
  | "sent"
  | "onPaper"
  | "ready"
  | "bill";

/** Ranks states by how soon a waiter should go there. */
const urgency: Record<TableCardState, number> = {
  ready: 0,
  bill: 1,
  unsent: 2,
  toSend: 3,
  late: 4,
  due: 5,
  held: 6,
  sent: 7,
  onPaper: 7,
  open: 8,
  booked: 9,
  free: 10,
};

export interface FloorState {
  orders: readonly LocalOrder[];
  tickets: readonly KitchenTicket[];
  bookings: readonly Booking[];
  /** Where the users of other terminals are. */
  presence: readonly Whereabouts[];
  inUse: InUse;
  tables: readonly TableState[];
  /** Name of the user; a check's waiter is who opened it or took it over. */
  me: string | null;
}

export function tableCards(floor: BackOfficeFloor, state: FloorState): TableCard[] {
  const byTable = checksByTable(state.orders);
  const paidUnsent = unsentOfPaid(state.orders);
  const waiting = readyByCheck(state.tickets);
  const names = new Map(floor.tables.map(({ id, name }) => [id, name]));
  const locks = new Map(state.tables.map(({ tableId, lock }) => [tableId, lock?.userName ?? null]));
  const bookings = new Map(
    state.bookings
      .filter(({ phase }) => phase === "upcoming" || phase === "due" || phase === "late")
      .toSorted((one, other) => compare(other.reservation.at, one.reservation.at))
      .map((booking) => [booking.reservation.tableId, booking]),
  );
  return floor.tables.map(({ id, name, seats }) => {
    const checks = byTable.get(id) ?? [];
    const references = new Set(checks.map(({ posReference }) => posReference));
    const staff = [...new Set(checks.flatMap(({ snapshot }) => snapshot.staffName ?? []))];
    const lines = checks.flatMap(({ snapshot }) => snapshot.lines);
    const isOn = (place: Whereabouts): boolean =>
      place.tableId === id || (place.posReference !== undefined && references.has(place.posReference));
    const used = checks.flatMap(({ posReference, pending }) => {
      const holder = state.inUse(posReference);
      return holder === null ? [] : [{ by: holder.userName, isWaiting: pending > 0 }];
    });
    const joined = new Set(checks.flatMap(({ snapshot }) => snapshot.tableIds ?? []));
    joined.delete(id);
    const card = {
      tableId: id,
      name,
      seats,
      checks,
      since: seatedFirst(checks.map(({ snapshot }) => snapshot)),
      due: sum(checks.map(({ snapshot }) => amountDue(snapshot))),
      unsent: countUnsent(toSend(lines)) + (paidUnsent.get(id) ?? 0),
      held: checks.map(({ snapshot }) => nextHeld(snapshot.lines)).find((held) => held !== null) ?? null,
      ready: checks.reduce((sum, { posReference }) => sum + (waiting.get(posReference) ?? 0), 0),
      guests: Math.max(0, ...checks.map(({ snapshot }) => snapshot.guestCount)),
      staff,
      isMine: state.me !== null && staff.includes(state.me),
      joined: [...joined].map((tableId) => names.get(tableId) ?? String(tableId)),
      people: [...new Set(state.presence.filter(isOn).map(({ userName }) => userName))],
      usedBy: used[0]?.by ?? null,
      isWaiting: used.some(({ isWaiting }) => isWaiting),
      lockedBy: locks.get(id) ?? null,
      booking: bookings.get(id) ?? null,
    };
    return { ...card, state: stateOf(card, lines) };
  });
}

/** Sorts by urgency, then by how long the party has been there. */
export function sortByUrgency(cards: readonly TableCard[]): TableCard[] {
  return cards.toSorted(
    (one, other) => urgency[one.state] - urgency[other.state] || compare(one.since ?? "", other.since ?? ""),
  );
}

/** Whether only other waiters serve the table; free and booked tables belong to all. */
export function isOfOtherWaiters({ staff, isMine }: TableCard): boolean {
  return staff.length > 0 && !isMine;
}

/** Returns the tables for a typed number: the exact number before those that begin with it. */
export function tablesByNumber(cards: readonly TableCard[], typed: string): TableCard[] {
  if (typed === "") return [];
  const numberOf = ({ name }: TableCard): string => /\d+/.exec(name)?.[0] ?? "";
  return cards
    .filter((card) => numberOf(card).startsWith(typed))
    .toSorted((one, other) => Number(numberOf(other) === typed) - Number(numberOf(one) === typed));
}

/** Counts unsent dishes of paid checks by table: even if the party has left, they are still to be cooked. */
function unsentOfPaid(orders: readonly LocalOrder[]): Map<number, number> {
  const unsent = new Map<number, number>();
  for (const { tableId, snapshot } of orders) {
    if (tableId === null) continue;
    unsent.set(tableId, (unsent.get(tableId) ?? 0) + countUnsent(paidUnsentLines(snapshot)));
  }
  return unsent;
}

function nextHeld(lines: readonly StoredLine[]): TableCard["held"] {
  const [next] = heldCourses(lines);
  return next === undefined ? null : { course: next.course, since: lastSentAt(lines) };
}

function stateOf(card: Omit<TableCard, "state">, lines: readonly StoredLine[]): TableCardState {
  if (card.checks.length === 0) {
    if (card.unsent > 0) return "unsent";
    const phase = card.booking?.phase;
    return phase === undefined ? "free" : phase === "due" || phase === "late" ? phase : "booked";
  }
  if (card.ready > 0) return "ready";
  if (card.checks.some(({ snapshot }) => snapshot.status === "checkout")) return "bill";
  if (card.unsent > 0) return "unsent";
  if (card.checks.some(({ isSendPending }) => isSendPending)) return "toSend";
  if (card.held !== null) return "held";
  const sent = lines.filter((line) => (line.sentQuantity ?? 0) > 0);
  if (sent.length === 0) return "open";
  const toMake = sent.filter((line) => quantityToMake(line) > 0);
  return toMake.length > 0 && toMake.every(isOnPaper) ? "onPaper" : "sent";
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
