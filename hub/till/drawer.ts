import { HUB_ORIGIN, type Payment, type Snapshot } from "@comanda/protocol";
import { drawerSlip, openTenders, type PaperHouse } from "@comanda/rules";
import type { ChangeOf, Recorder, Tx } from "../changes/change.ts";
import { isoTime } from "../platform/world.ts";
import { PULSE_MS } from "../printing/job-printing.ts";
import type { Printers } from "../printing/printers.ts";
import type { Spool } from "../printing/spool.ts";
import type { ShiftEvents } from "./shift-events.ts";
import { byOf, doneAt, type TillWriter } from "./till-mutation.ts";
import type { StoredTill, TillStore } from "./till-store.ts";

export interface DrawerDeps {
  tills: TillStore;
  shiftEvents: ShiftEvents;
  spool: Pick<Spool, "add">;
  printers: Pick<Printers, "get" | "receiptPrinter">;
  /** The methods whose money lies in a drawer. */
  cashMethods(): readonly string[];
  /** What a document says beside its own facts. */
  house(): PaperHouse;
}

interface Opening {
  why: "move" | "drawer";
  reason: string;
  /** What its slip says instead. */
  words?: string;
  mutationId: string;
  queuedAt: number | null;
}

export type Drawer = ReturnType<typeof createDrawer>;

/** Opens drawers, and notes each time, also where nothing opens them. */
export function createDrawer(deps: DrawerDeps) {
  const { tills, shiftEvents, spool, printers, cashMethods, house } = deps;

  /** The printer at a drawer: the till's own, else the one that prints the terminal's receipts. */
  function printerAt(till: StoredTill | null, terminalId: string) {
    return printers.get(till?.printer ?? undefined) ?? printers.receiptPrinter(terminalId);
  }

  return {
    printerAt,

    /** Without a sale: a slip says why. Answers whether a drawer is asked to open. */
    open(tx: Tx, till: StoredTill, writer: TillWriter, { why, reason, words = reason, ...asked }: Opening): boolean {
      const { mutationId, queuedAt } = asked;
      const { id: tillId, name, shift } = till;
      const at = isoTime(doneAt(tx, queuedAt, shift));
      const { userName: by, terminalId, approvedBy } = writer;
      const printer = printerAt(till, terminalId);
      const blocks = drawerSlip({ till: name, by, approvedBy, reason: words, at }, house());
      const opensDrawer = printer?.drawer === true && !isLate(tx, queuedAt);
      const pulse = opensDrawer ? { opensDrawer: true as const } : {};
      const job = { cause: `drawer:${mutationId}`, document: "drawer", blocks, terminalId, ...pulse } as const;
      const added = printer === null ? null : spool.add(tx, { ...job, printerId: printer.id });
      const jobId = opensDrawer ? (added?.id ?? null) : null;
      const of = { tillId, shiftId: shift?.id ?? null, mutationId };
      shiftEvents.add(tx, "opening", of, { at, why, reason, ...byOf(writer), jobId });
      return opensDrawer;
    },

    /** Cash was taken at a terminal just now: the drawer of its till opens. */
    record: ((change, tx) => {
      if (change.kind !== "order.stored" || (change.did !== "paid" && change.did !== "tendered")) return;
      const { origin: terminalId, queuedAt = null, order } = change;
      // What a manager puts on a check, or brings back after a restore, was taken before.
      if (terminalId === HUB_ORIGIN || isLate(tx, queuedAt)) return;
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

/** A pulse that nobody waits for any more would open a drawer that nobody stands at. */
function isLate({ now }: Tx, queuedAt: number | null): boolean {
  return queuedAt !== null && now - queuedAt > PULSE_MS;
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
