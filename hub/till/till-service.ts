import {
  type AuditAction,
  type Block,
  type CountedMethod,
  type ForeignCurrency,
  type MoveKind,
  type OrderMutation,
  type Payment,
  type PaymentMethod,
  type Said,
  type Snapshot,
} from "@comanda/protocol";
import {
  blindShiftPaper,
  comparedWith,
  drawerSlip,
  isWithinTolerance,
  openTenders,
  type PaperHouse,
  problemOfCount,
  refusalOfCount,
  refusalOfDrawer,
  refusalOfMove,
  refusalOfOpening,
  shiftPaper,
  type CountProblem,
  type TillRefusal,
} from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { isoTime } from "../platform/world.ts";
import { PULSE_MS } from "../printing/printer-lane.ts";
import type { Printers } from "../printing/printers.ts";
import type { Spool } from "../printing/spool.ts";
import { expectedOf, readShiftReport, type ReportDeps } from "./shift-report.ts";
import type { ShiftRow, StoredTill, TillStore } from "./till-store.ts";

/** Who acts at a till. */
export interface TillWriter {
  terminalId: string;
  userName: string;
  role: "waiter" | "cashier" | "manager";
  approvedBy?: string;
}

export type TillMutation = Extract<OrderMutation, { type: `TILL_${string}` }>;

export interface TillAnswer {
  tillId: string;
  shiftId?: string;
  seq: number;
}

interface Opening {
  why: "move" | "drawer";
  reason: string;
  /** What its slip says instead. */
  words?: string;
}

/** Thrown inside a write whose changes stay: the count is stored although the shift is not closed. */
export class CountKept extends HubError<"APPROVAL_NEEDED"> {}

/** A person who tries counts gets no further than this. */
const MOST_COUNTS = 50;
const MOST_MOVES = 1_000;

export type TillService = ReturnType<typeof createTillService>;

/** What terminals do at tills. */
export function createTillService(deps: {
  tills: TillStore;
  report: ReportDeps;
  /** The back-office's methods and the currencies that the house takes; null where they were never read. */
  config(): { paymentMethods: readonly PaymentMethod[]; currencies?: readonly ForeignCurrency[] | undefined } | null;
  tolerance: number;
  spool: Pick<Spool, "add">;
  printers: Pick<Printers, "get" | "receiptPrinter">;
  /** What a document says beside its own facts. */
  house(): PaperHouse;
  audit: { record(tx: Tx, userName: string, action: AuditAction, target: string, note?: Said | string | null): void };
}) {
  const { tills, report, config, spool, printers, house, audit } = deps;
  const { shiftEvents } = report;

  function requireAllowed(refusal: TillRefusal | null, what: string): void {
    if (refusal !== null) throw new HubError(refusal, `${what}: ${reasons[refusal]}`);
  }

  function open(
    tx: Tx,
    mutation: Extract<TillMutation, { type: "TILL_OPEN" }>,
    writer: TillWriter,
    queuedAt: number | null,
  ) {
    const { tillId, shiftId, float, floats = [] } = mutation;
    const till = present(tills.get(tillId));
    requireAllowed(refusalOfOpening(writer.role, till), `till ${tillId}`);
    if (till === null || tills.shift(shiftId) !== null)
      throw new HubError("VALIDATION_ERROR", "shiftId: it was used before");
    if (new Set(floats.map(({ currency }) => currency)).size < floats.length) {
      throw new HubError("VALIDATION_ERROR", "floats: a currency is named twice");
    }
    const [last] = tills.times(tillId);
    const openedAt = Math.max(queuedAt ?? tx.now, last?.countedAt ?? 0);
    const cashMethodId = cashMethods()[0] ?? "cash";
    const row = {
      id: shiftId,
      tillId,
      tillName: till.name,
      openedAt,
      openedBy: writer.userName,
      cashMethodId,
      float,
      floats,
    };
    const seq = tills.openShift(tx, row);
    audit.record(tx, writer.userName, "shift.open", shiftId, `${till.name} ${float}`);
    tx.notify(["tills"]);
    return { tillId, shiftId, seq };
  }

  function move(tx: Tx, mutation: Extract<TillMutation, { type: "TILL_MOVE" }>, writer: TillWriter) {
    const { shiftId, kind, amount, reason, cause, userName, mutationId } = mutation;
    const shift = tills.shift(shiftId);
    requireAllowed(refusalOfMove(writer.role, shift), `shift ${shiftId}`);
    const { moves } = shiftEvents.of(shiftId);
    if (shift === null || moves.length >= MOST_MOVES)
      throw new HubError("LIMIT_REACHED", "shiftId: it has too many moves");
    const till = requireTill(shift.tillId);
    shiftEvents.add(
      tx,
      "move",
      { tillId: till.id, shiftId, mutationId },
      {
        kind,
        amount,
        reason,
        ...(cause !== undefined && { cause }),
        ...(userName !== undefined && { userName }),
        at: isoTime(tx.now),
        ...byOf(writer),
      },
    );
    const words = `${moveNames[kind]} ${house().format.money(amount)} · ${reason}`;
    openDrawer(tx, till, writer, { why: "move", reason, words, mutationId });
    audit.record(tx, writer.userName, "till.move", shiftId, `${kind} ${amount} ${reason}`);
    tx.notify(["tills"]);
    return { tillId: till.id, shiftId, seq: till.seq };
  }

  function count(tx: Tx, mutation: Extract<TillMutation, { type: "TILL_COUNT" }>, writer: TillWriter): TillAnswer {
    const { shiftId, counted, note, mutationId } = mutation;
    const shift = tills.shift(shiftId);
    requireAllowed(refusalOfCount(writer.role, shift), `shift ${shiftId}`);
    if (shift === null) throw new HubError("NOT_FOUND", `there is no shift ${shiftId}`);
    const expected = expectedOf(report, shift);
    const { cashMethodId } = shift;
    const problem = problemOfCount(counted, expected, { cashMethodId, cash: new Set(cashMethods()) });
    if (problem !== null) throw new HubError("VALIDATION_ERROR", sentenceOf(problem));
    const { counts, lastCount } = shiftEvents.of(shiftId);
    if (counts.length >= MOST_COUNTS)
      throw new HubError("LIMIT_REACHED", "shiftId: it was counted too often; ask a manager");
    const isApproved = writer.role === "manager";
    const isSame = lastCount === mutationId && !isApproved;
    if (!isSame) {
      shiftEvents.add(
        tx,
        "count",
        { tillId: shift.tillId, shiftId, mutationId },
        {
          at: isoTime(tx.now),
          ...byOf(writer),
          counted,
          ...(note !== undefined && { note }),
        },
      );
      audit.record(tx, writer.userName, "shift.count", shiftId, wordsOf(counted));
    }
    tx.notify(["tills"]);
    // Only the first count may close a shift by itself: whoever tries again is told nothing by it.
    const methods = comparedWith(expected, counted);
    const closes =
      isApproved || (counts.length === 0 && isWithinTolerance(methods, deps.tolerance, config()?.currencies ?? []));
    if (!closes) {
      tills.noteCounted(tx, shift);
      throw new CountKept("APPROVAL_NEEDED", "the count is kept; a manager has to approve it");
    }
    return close(tx, shift, writer);
  }

  function close(tx: Tx, shift: ShiftRow, writer: TillWriter): TillAnswer {
    const { id: shiftId, tillId } = shift;
    const closed = { ...shift, state: "closed" as const, countedAt: shift.countedAt ?? tx.now, closedAt: tx.now };
    const z = { ...readShiftReport(report, closed), closedBy: writer.userName, late: [] };
    const seq = tills.closeShift(tx, shift, z);
    audit.record(tx, writer.userName, "shift.close", shiftId, z.approvedBy);
    const { terminalId } = writer;
    const printer = printerAt(tills.get(tillId), terminalId);
    if (printer !== null) {
      const blocks = shiftPaper(z, house());
      spool.add(tx, { cause: `till:${shiftId}`, document: "till", printerId: printer.id, blocks, terminalId });
    }
    return { tillId, shiftId, seq };
  }

  /** Opens the drawer, with a slip that says why where it is not a sale; and notes it, also where nothing opens it. */
  function openDrawer(
    tx: Tx,
    till: StoredTill,
    writer: TillWriter,
    { why, reason, words = reason, mutationId }: Opening & { mutationId: string },
  ): void {
    const at = isoTime(tx.now);
    const { id: tillId, name, shift } = till;
    const { userName: by, terminalId, approvedBy } = writer;
    const printer = printerAt(till, terminalId);
    const blocks = drawerSlip({ till: name, by, approvedBy, reason: words, at }, house());
    const pulse = printer?.drawer === true ? { opensDrawer: true as const } : {};
    const job = { cause: `drawer:${mutationId}`, document: "drawer", blocks, terminalId, ...pulse } as const;
    const added = printer === null ? null : spool.add(tx, { ...job, printerId: printer.id });
    const jobId = printer?.drawer === true ? (added?.id ?? null) : null;
    const of = { tillId, shiftId: shift?.id ?? null, mutationId };
    shiftEvents.add(tx, "opening", of, { at, why, reason, by, terminalId, jobId });
  }

  /** The printer at a drawer: the till's own, else the one that prints the terminal's receipts. */
  function printerAt(till: StoredTill | null, terminalId: string) {
    return printers.get(till?.printer ?? undefined) ?? printers.receiptPrinter(terminalId);
  }

  function requireTill(tillId: string): StoredTill {
    const till = tills.get(tillId);
    if (till === null) throw new HubError("NO_TILL", `there is no till ${tillId}`);
    return till;
  }

  function cashMethods(): string[] {
    return (config()?.paymentMethods ?? []).flatMap(({ id, type }) => (type === "cash" ? [String(id)] : []));
  }

  return {
    /** Carries out what a terminal asks for. Throws a HubError; a CountKept leaves the count stored. */
    carryOut(tx: Tx, mutation: TillMutation, writer: TillWriter, queuedAt: number | null): TillAnswer {
      switch (mutation.type) {
        case "TILL_OPEN":
          return open(tx, mutation, writer, queuedAt);
        case "TILL_MOVE":
          return move(tx, mutation, writer);
        case "TILL_COUNT":
          return count(tx, mutation, writer);
        case "TILL_DRAWER": {
          const { tillId, reason, mutationId } = mutation;
          const till = present(tills.get(tillId));
          requireAllowed(refusalOfDrawer(writer.role, till), `till ${tillId}`);
          openDrawer(tx, requireTill(tillId), writer, { why: "drawer", reason, mutationId });
          audit.record(tx, writer.userName, "till.drawer", tillId, reason);
          tx.notify(["tills"]);
          return { tillId, seq: requireTill(tillId).seq };
        }
      }
    },

    /** The report of a shift on paper: before it is closed in full for a manager alone. */
    paperOf(tx: Tx, shiftId: string, role: TillWriter["role"]): { blocks: Block[]; isClosed: boolean } {
      const shift = tills.shift(shiftId);
      if (shift === null) throw new HubError("NOT_FOUND", `there is no shift ${shiftId}`);
      const isClosed = shift.state === "closed";
      if (isClosed || role === "manager") {
        return { blocks: shiftPaper(readShiftReport(report, shift), house()), isClosed };
      }
      const { tillName, openedAt, openedBy } = shift;
      const facts = { tillName, openedAt: isoTime(openedAt), openedBy, at: isoTime(tx.now) };
      return { blocks: blindShiftPaper(facts, house()), isClosed };
    },

    /** Cash was taken at a terminal just now: the drawer of its till opens. */
    record: ((change, tx) => {
      if (change.kind !== "order.stored" || (change.did !== "paid" && change.did !== "tendered")) return;
      const { origin: terminalId, queuedAt = null, order } = change;
      // A pulse that nobody waits for any more would open a drawer that nobody stands at.
      if (queuedAt !== null && tx.now - queuedAt > PULSE_MS) return;
      if (!broughtBy(change).some(({ methodId }) => cashMethods().includes(String(methodId)))) return;
      const till = tills.ofTerminal(terminalId);
      // Where there are tills, a terminal of none opens nobody's drawer.
      if (till === null && tills.list().length > 0) return;
      const printer = printerAt(till, terminalId);
      if (printer?.drawer !== true) return;
      const cause = `pulse:${order.posReference}:${order.version}`;
      const job = { cause, document: "drawer", printerId: printer.id, terminalId } as const;
      const added = spool.add(tx, { ...job, blocks: [], opensDrawer: true });
      if (till === null) return;
      const by = takerOf(order.snapshot);
      const opening = { at: isoTime(tx.now), why: "sale", by, terminalId, jobId: added?.id ?? null } as const;
      shiftEvents.add(tx, "opening", { tillId: till.id, shiftId: till.shift?.id ?? null }, opening);
    }) satisfies Recorder,
  };
}

/** The payments that a change has brought to its check. */
function broughtBy({ did, order }: ChangeOf<"order.stored">): Pick<Payment, "methodId">[] {
  const { tenders = [], payments = [] } = order.snapshot;
  const direct = did === "paid" ? payments.slice(openTenders({ tenders }).length) : [];
  return direct.length > 0 ? direct : tenders.slice(-1);
}

function takerOf({ tenders, ...snapshot }: Snapshot): string {
  const { paidBy } = snapshot;
  return typeof paidBy === "string" ? paidBy : (tenders?.at(-1)?.takenBy ?? "");
}

/** As the slip has them. */
const moveNames: Readonly<Record<MoveKind, string>> = { in: "ENTRADA", out: "SALIDA", drop: "RETIRO A CAJA FUERTE" };

const reasons: Readonly<Record<TillRefusal, string>> = {
  FORBIDDEN: "only a cashier or manager may do this",
  NO_TILL: "there is no such till",
  SHIFT_OPEN: "its shift is not closed yet",
  SHIFT_CLOSED: "it takes nothing any more",
};

function present(till: StoredTill | null): StoredTill | null {
  return till?.isRemoved === true ? null : till;
}

function byOf({ userName: by, approvedBy, terminalId }: TillWriter) {
  return { by, ...(approvedBy !== undefined && { approvedBy }), terminalId };
}

function sentenceOf({ field, why, currency }: CountProblem): string {
  if (why === "twice") return `${field}: a method is named twice`;
  if (why === "pieces") return `${field}: they come to another amount`;
  return `${field}: ${currency === undefined ? "cash" : `cash in ${currency}`} must be counted`;
}

function wordsOf(counted: readonly CountedMethod[]): string {
  return counted
    .map(({ methodId, currency, amount }) => `${methodId}${currency === undefined ? "" : ` ${currency}`}: ${amount}`)
    .join(", ")
    .slice(0, 500);
}
