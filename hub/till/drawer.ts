import { HUB_ORIGIN, type Payment, type Snapshot } from "@comanda/protocol";
import { drawerSlip, openTenders, type PaperContext } from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import { isoTime } from "../platform/world.ts";
import { PULSE_MS } from "../printing/job-printing.ts";
import type { Printers } from "../printing/printers.ts";
import type { Spool } from "../printing/spool.ts";
import type { ShiftEvents } from "./shift-events.ts";
import { actorFields, occurredAt, type TillWriter } from "./till-mutation.ts";
import type { StoredTill, TillStore } from "./till-store.ts";

export interface DrawerDeps {
  tills: TillStore;
  shiftEvents: ShiftEvents;
  spool: Pick<Spool, "add">;
  printers: Pick<Printers, "get" | "receiptPrinter">;
  /** The methods whose money is kept in a drawer. */
  cashMethods(): readonly string[];
  /** The restaurant's data on documents. */
  paperContext(): PaperContext;
}

interface Opening {
  why: "move" | "drawer";
  reason: string;
  /** Text of the slip, if it differs from the reason. */
  slipText?: string;
  mutationId: string;
  queuedAt: number | null;
}

export type Drawer = ReturnType<typeof createDrawer>;

/** Opens drawers and records each opening, also if no printer opens the drawer. */
export function createDrawer(deps: DrawerDeps) {
  const { tills, shiftEvents, spool, printers, cashMethods, paperContext } = deps;

  /** Returns the printer at a drawer: the till's own, or the one that prints the terminal's receipts. */
  function printerAt(till: StoredTill | null, terminalId: string) {
    return printers.get(till?.printer ?? undefined) ?? printers.receiptPrinter(terminalId);
  }

  return {
    printerAt,

    /** Opens a drawer without a sale; a slip gives the reason. Returns whether a pulse was queued. */
    open(
      tx: Tx,
      till: StoredTill,
      writer: TillWriter,
      { why, reason, slipText = reason, ...request }: Opening,
    ): boolean {
      const { mutationId, queuedAt } = request;
      const { id: tillId, name, shift } = till;
      const at = isoTime(occurredAt(tx, queuedAt, shift));
      const { userName: by, terminalId, approvedBy } = writer;
      const printer = printerAt(till, terminalId);
      const blocks = drawerSlip({ till: name, by, approvedBy, reason: slipText, at }, paperContext());
      const opensDrawer = printer?.drawer === true && !isLate(tx, queuedAt);
      const pulse = opensDrawer ? { opensDrawer: true as const } : {};
      const job = { cause: `drawer:${mutationId}`, document: "drawer", blocks, terminalId, ...pulse } as const;
      const added = printer === null ? null : spool.add(tx, { ...job, printerId: printer.id });
      const jobId = opensDrawer ? (added?.id ?? null) : null;
      const of = { tillId, shiftId: shift?.id ?? null, mutationId };
      shiftEvents.add(tx, "opening", of, { at, why, reason, ...actorFields(writer), jobId });
      return opensDrawer;
    },

    /** Opens the drawer of a terminal's till when the terminal has just taken cash. */
    record: ((change, tx) => {
      if (change.kind !== "order.stored" || (change.versionKind !== "paid" && change.versionKind !== "tendered"))
        return;
      const { origin: terminalId, queuedAt = null, order } = change;
      // Payments that a manager applies, or that return after a restore, were taken earlier.
      if (terminalId === HUB_ORIGIN || isLate(tx, queuedAt)) return;
      if (!paymentsOf(change).some(({ methodId }) => cashMethods().includes(String(methodId)))) return;
      const till = tills.findByTerminal(terminalId);
      // If there are tills, a terminal without one opens no drawer.
      if (till === null && tills.list().length > 0) return;
      const printer = printerAt(till, terminalId);
      if (printer?.drawer !== true) return;
      const cause = `pulse:${order.posReference}:${order.version}`;
      const job = { cause, document: "drawer", printerId: printer.id, terminalId } as const;
      const added = spool.add(tx, { ...job, blocks: [], opensDrawer: true });
      if (till === null) return;
      const by = lastTakerOf(order.snapshot);
      const opening = { at: isoTime(tx.now), why: "sale", by, terminalId, jobId: added?.id ?? null } as const;
      shiftEvents.add(tx, "opening", { tillId: till.id, shiftId: till.shift?.id ?? null }, opening);
    }) satisfies Recorder,
  };
}

/** Whether a pulse is too late: it would open an unattended drawer. */
function isLate({ now }: Tx, queuedAt: number | null): boolean {
  return queuedAt !== null && now - queuedAt > PULSE_MS;
}

/** Returns the payments that a change has added to its check. */
function paymentsOf({ versionKind, order }: ChangeOf<"order.stored">): Pick<Payment, "methodId">[] {
  const { tenders = [], payments = [] } = order.snapshot;
  const direct = versionKind === "paid" ? payments.slice(openTenders({ tenders }).length) : [];
  return direct.length > 0 ? direct : tenders.slice(-1);
}

function lastTakerOf({ tenders, ...snapshot }: Snapshot): string {
  const { paidBy } = snapshot;
  return typeof paidBy === "string" ? paidBy : (tenders?.at(-1)?.takenBy ?? "");
}
