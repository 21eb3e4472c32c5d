import { type BelowMenu, type CheckChange, type ServiceChanges, tablesOf } from "@comanda/rules";
import type { ChangeOf, Tx } from "../../changes/change.ts";
import type { ItemStates } from "../../kitchen/item-states.ts";
import type { TicketStore } from "../../kitchen/ticket-store.ts";
import type { LeaseBook } from "../../leases/lease-book.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { OrderStore } from "./order-store.ts";
import { removeOrder } from "./remove-order.ts";
import { saveVersion, type VersionWriter } from "./save-version.ts";
import { followMove, followOrder } from "./table-state.ts";

interface WriterDeps {
  orders: OrderStore;
  tickets: TicketStore;
  itemStates: ItemStates;
  tables: TableStore;
  leases: LeaseBook;
}

/** The stored changes by check, and the seq of the last change; 0 if there is none. */
export interface Stored {
  checks: Map<string, ChangeOf<"order.stored"> | ChangeOf<"order.removed">>;
  seq: number;
}

export type OrderWriter = ReturnType<typeof createOrderWriter>;

/** Writes the changes that the rules return, and updates tables, leases and tickets accordingly. */
export function createOrderWriter(deps: WriterDeps) {
  const { orders, tickets, itemStates, tables, leases } = deps;

  function storeCheck(
    tx: Tx,
    writer: VersionWriter,
    { previous, snapshot, kind }: CheckChange,
    maxBytes: number,
  ): ChangeOf<"order.stored"> {
    const { posReference } = snapshot;
    const change = saveVersion(orders, tx, writer, { posReference, snapshot, kind, previous, maxBytes });
    const former = previous === null ? [] : tablesOf(previous.snapshot);
    if (kind === "paid") {
      followOrder({ orders, tables }, tx, former, posReference, writer.terminalId);
      leases.end(tx, posReference, writer.terminalId);
    } else followMove({ orders, tables }, tx, former, tablesOf(snapshot), posReference, writer.terminalId);
    return change;
  }

  return {
    /**
     * Stores and emits the changes that the rules return. `admit` is called before each check is stored, after the previous
     * ones: it returns the size limit of the check's JSON (bytes), or throws.
     */
    store(
      tx: Tx,
      writer: VersionWriter,
      changes: Partial<ServiceChanges>,
      admit: (change: CheckChange) => number = () => Infinity,
    ): Stored {
      const checks: Stored["checks"] = new Map();
      if (changes.itemStates !== undefined) itemStates.count(tx, changes.itemStates);
      for (const change of changes.checks ?? []) {
        checks.set(change.snapshot.posReference, storeCheck(tx, writer, change, admit(change)));
      }
      for (const { check, ...reason } of changes.removals ?? []) {
        checks.set(check.posReference, removeOrder(deps, tx, check, { origin: writer.terminalId, ...reason }));
      }
      const saved = (changes.tickets ?? []).map((ticket) => tickets.save(tx, ticket, writer.terminalId));
      const { restoredAt = -Infinity } = writer;
      for (const each of saved) {
        const isRestored = Date.parse(each.ticket.sentAt) < restoredAt;
        tx.emit({ ...each, ...(isRestored && { isRestored }) });
      }
      for (const each of changes.belowMenu ?? []) reportPrices(tx, writer, each);
      return { checks, seq: saved.at(-1)?.seq ?? [...checks.values()].at(-1)?.seq ?? 0 };
    },

    /** Updates tables from the active orders on them, after `posReference` was written without `store`. */
    followTables: (tx: Tx, tableIds: readonly number[], posReference: string, origin: string): void =>
      followOrder({ orders, tables }, tx, tableIds, posReference, origin),
  };
}

/** Returns the stored change of a check. Throws if the check was not stored. */
export function storedCheck({ checks }: Stored, posReference: string): ChangeOf<"order.stored"> {
  const change = checks.get(posReference);
  if (change?.kind !== "order.stored") throw new Error(`order ${posReference} was not stored`);
  return change;
}

function reportPrices(
  tx: Tx,
  { userName, terminalId }: VersionWriter,
  { posReference, tableId, names }: BelowMenu,
): void {
  tx.notify(["orders"], {
    kind: "price_below_menu",
    level: "warn",
    ...(tableId !== null && { tableId }),
    detail: {
      posReference,
      ...(userName !== null && { userName }),
      terminalId,
      text: names.join(", ").slice(0, 200),
    },
  });
}
