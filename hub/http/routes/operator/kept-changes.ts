import type { AuditAction, FeedEntry } from "@comanda/protocol";
import type { Tx } from "../../../changes/change.ts";
import { presentKeptChange } from "../../../operator/back-office/present-kept-change.ts";
import type { TerminalBook } from "../../../operator/terminals/terminal-list.ts";
import { dismissKeptChange } from "../../../orders/kept-changes/decide-kept-change.ts";
import { ordersIn } from "../../../orders/kept-changes/keep-change.ts";
import type { ChangeDecision, KeptChange } from "../../../orders/kept-changes/kept-change-store.ts";
import { requireUnsettled } from "../../../platform/errors.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { nextCursor, readCursor, requireNumber } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

const records: Readonly<Record<ChangeDecision, { action: AuditAction; feed: FeedEntry["kind"] }>> = {
  applied: { action: "change.apply", feed: "change_applied" },
  dismissed: { action: "change.dismiss", feed: "change_dismissed" },
};

/** Routes for changes that came with a revoked token and wait for a manager's decision. */
export function operatorKeptChangeRoutes(
  deps: Pick<Stores, "changes" | "audit" | "orders" | "keptChanges"> & {
    terminalList: Pick<TerminalBook, "get">;
    /** Applies a kept change in the name of the manager. */
    applyKeptChange(tx: Tx, change: KeptChange, manager: string): void;
  },
) {
  const { changes, audit, orders, keptChanges, terminalList } = deps;

  const requireOpen = (changeId: string): KeptChange =>
    requireUnsettled(keptChanges.get(requireNumber(changeId, "kept change")), `kept change ${changeId}`);

  function settle(tx: Tx, change: KeptChange, decision: ChangeDecision, by: string, note: string | null): KeptChange {
    const { id, terminalId, userName, mutation } = change;
    keptChanges.settle(tx, id, { how: decision, by, note: note === null ? null : { words: note } });
    const { action, feed } = records[decision];
    const references = mutation === null ? [] : ordersIn(mutation);
    for (const target of references.length === 0 ? [terminalId] : references) {
      audit.record(tx, by, action, target, {
        about: `${userName} (${terminalId})`,
        ...(note !== null && { words: note }),
      });
    }
    const [posReference] = references;
    const detail = { ...(posReference !== undefined && { posReference }), userName: by, terminalId };
    tx.notify(["kept_changes"], { kind: feed, level: "info", detail });
    return keptChanges.get(id) ?? change;
  }

  function dismiss(tx: Tx, change: KeptChange, by: string, note: string): KeptChange {
    dismissKeptChange(tx, change, by);
    return settle(tx, change, "dismissed", by, note);
  }

  /** A terminal's unsent changes, without those kept here: its report counts both. */
  function unsentBehind(terminalId: string): number {
    const reported = terminalList.get(terminalId)?.outbox?.pending ?? 0;
    return Math.max(0, reported - keptChanges.countOpenByTerminal(terminalId));
  }

  return {
    keptChanges({ query: { state, cursor, limit } }) {
      const place = readCursor(cursor);
      const isOpen = state === "open";
      const rows = isOpen
        ? keptChanges.listOpen(place ?? 0, limit)
        : keptChanges.listSettled(place ?? Number.MAX_SAFE_INTEGER, limit);
      return {
        changes: rows.map((change) => presentKeptChange(change, orders, isOpen ? unsentBehind(change.terminalId) : 0)),
        nextCursor: nextCursor(rows, limit, ({ id }) => id),
        total: isOpen ? keptChanges.countOpen() : keptChanges.countSettled(),
      };
    },

    async applyKeptChange({ params: { changeId }, body: { note = null }, manager: { userName: by } }) {
      const change = await changes.write((tx) => {
        const open = requireOpen(changeId);
        deps.applyKeptChange(tx, open, by);
        return settle(tx, open, "applied", by, note);
      });
      return { change: presentKeptChange(change, orders) };
    },

    async dismissKeptChanges({ body: { note }, manager: { userName: by } }) {
      return changes.write((tx) => {
        const open = keptChanges.listOpen(0, keptChanges.countOpen());
        for (const change of open) dismiss(tx, change, by, note);
        return { dismissed: open.length };
      });
    },

    async dismissKeptChange({ params: { changeId }, body: { note }, manager: { userName: by } }) {
      const change = await changes.write((tx) => dismiss(tx, requireOpen(changeId), by, note));
      return { change: presentKeptChange(change, orders) };
    },
  } satisfies Partial<OperatorHandlers>;
}
