import type { BackOfficeFloor, KitchenTicket, StoredLine, TableState } from "@comanda/protocol";
import { isOnPaper, seatedFirst, sum, wantedQuantityOf } from "@comanda/rules";
import { amountDue, type Booking, type LocalOrder, type Whereabouts } from "@comanda/terminal";
import { countUnsent, heldCourses, lastSentAt, paidUnsentLines, toSend } from "../../checks/check-lines.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { readyByCheck } from "../../checks/ready-dishes.ts";
import type { InUse } from "../../lib/connection/in-use.ts";

/** What a waiter wants to know of a table without opening it. */
export interface TableCard {
  tableId: number;
  name: string;
  seats: number;
  /** Its active checks, the oldest first. */
  checks: readonly LocalOrder[];
  state: TableCardState;
  /** When the party sat down, of several the first, ISO 8601. */
  since: string | null;
  due: number;
  /** Dishes that nobody has sent, without those that wait for their course, and what paid checks lack. */
  unsent: number;
  /** The next course that waits for its turn, and since when (ISO 8601): the last send. */
  held: { course: number; since: string | null } | null;
  ready: number;
  /** How many sit there: checks that were split off tell the number of the whole party. */
  guests: number;
  /** Who serves its checks. */
  staff: readonly string[];
  /** The person who works here serves one of its checks. */
  isMine: boolean;
  /** The other tables that the same party sits at. */
  joined: readonly string[];
  /** Who else has it open right now. */
  people: readonly string[];
  /** Who else has a check of it open to edit it. */
  usedBy: string | null;
  /** What was added here waits for them. */
  isWaiting: boolean;
  /** Somebody keeps it for themselves for a moment. */
  lockedBy: string | null;
  /** A booking that is coming, due or late. */
  booking: Booking | null;
}

/** The most urgent thing about a table. */
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

/** By how soon somebody should go there. */
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

export interface KnownOfTables {
  orders: readonly LocalOrder[];
  tickets: readonly KitchenTicket[];
  bookings: readonly Booking[];
  /** Where the users of other terminals are. */
  presence: readonly Whereabouts[];
  inUse: InUse;
  tables: readonly TableState[];
  /** The name of the person who works here; a check has that of the one who opened it or took it over. */
  me: string | null;
}

export function tableCards(floor: BackOfficeFloor, known: KnownOfTables): TableCard[] {
  const byTable = checksByTable(known.orders);
  const paidUnsent = unsentOfPaid(known.orders);
  const waiting = readyByCheck(known.tickets);
  const names = new Map(floor.tables.map(({ id, name }) => [id, name]));
  const locks = new Map(known.tables.map(({ tableId, lock }) => [tableId, lock?.userName ?? null]));
  const bookings = new Map(
    known.bookings
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
      const holder = known.inUse(posReference);
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
      isMine: known.me !== null && staff.includes(known.me),
      joined: [...joined].map((tableId) => names.get(tableId) ?? String(tableId)),
      people: [...new Set(known.presence.filter(isOn).map(({ userName }) => userName))],
      usedBy: used[0]?.by ?? null,
      isWaiting: used.some(({ isWaiting }) => isWaiting),
      lockedBy: locks.get(id) ?? null,
      booking: bookings.get(id) ?? null,
    };
    return { ...card, state: stateOf(card, lines) };
  });
}

/** Where somebody should go first stands first; of equals, who has waited longest. */
export function byUrgency(cards: readonly TableCard[]): TableCard[] {
  return cards.toSorted(
    (one, other) => urgency[one.state] - urgency[other.state] || compare(one.since ?? "", other.since ?? ""),
  );
}

/** Whether somebody else serves it, and the person who works here does not: free tables and booked ones are everybody's. */
export function isOthers({ staff, isMine }: TableCard): boolean {
  return staff.length > 0 && !isMine;
}

/** The tables that a typed number means: the number itself before those that begin with it. */
export function tablesByNumber(cards: readonly TableCard[], typed: string): TableCard[] {
  if (typed === "") return [];
  const numberOf = ({ name }: TableCard): string => /\d+/.exec(name)?.[0] ?? "";
  return cards
    .filter((card) => numberOf(card).startsWith(typed))
    .toSorted((one, other) => Number(numberOf(other) === typed) - Number(numberOf(one) === typed));
}

/** How many dishes of paid checks the kitchen lacks, by table: the party may have left, the dishes are still to be cooked. */
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
  const wanted = sent.filter((line) => wantedQuantityOf(line) > 0);
  return wanted.length > 0 && wanted.every(isOnPaper) ? "onPaper" : "sent";
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
