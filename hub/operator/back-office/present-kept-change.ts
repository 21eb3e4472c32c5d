import {
  hubLineFieldNames,
  KeptChangeType,
  type KeptChange as ShownChange,
  type OrderMutation,
  type StoredLine,
  type TerminalSnapshot,
} from "@comanda/protocol";
import { beginningFacts, orderFacts } from "@comanda/rules";
import { ordersIn } from "../../orders/kept-changes/keep-change.ts";
import type { KeptChange } from "../../orders/kept-changes/kept-change-store.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { isoTime, isoTimeOrNull } from "../../platform/world.ts";

/** Returns a decided change, or a waiting one with the number of unsent changes behind it on its terminal. */
export function presentKeptChange(change: KeptChange, orders: OrderStore, unsentBehind = 0): ShownChange {
  const { mutation, settledAt, settledHow } = change;
  const type = KeptChangeType.safeParse(mutation?.type);
  return {
    changeId: String(change.id),
    type: type.success ? type.data : null,
    terminalId: change.terminalId,
    unsentBehind,
    userName: change.userName,
    receivedAt: isoTime(change.at),
    queuedAt: isoTimeOrNull(change.queuedAt),
    error: change.error,
    orders: mutation === null ? [] : ordersOf(mutation, orders),
    ...(mutation?.type === "ITEM_STATE_SET" && {
      item: { productId: String(mutation.productId), state: mutation.state },
    }),
    ...(mutation?.type === "TILL_MOVE" && { move: { kind: mutation.kind, amount: mutation.amount } }),
    ...(mutation !== null && "reason" in mutation && mutation.reason !== undefined && { reason: mutation.reason }),
    settled:
      settledAt === null || settledHow === null
        ? null
        : { at: isoTime(settledAt), by: change.settledBy ?? "", how: settledHow, note: change.settledNote },
  };
}

function ordersOf(mutation: OrderMutation, orders: OrderStore): ShownChange["orders"] {
  const writes = mutation.type === "ORDER_BATCH" ? mutation.orders : mutation.type === "ORDER_UPSERT" ? [mutation] : [];
  return ordersIn(mutation).map((posReference) => {
    const write = writes.find((each) => each.posReference === posReference);
    return {
      posReference,
      status: orders.get(posReference)?.snapshot.status ?? null,
      change: write === undefined ? null : changeOf(orders, write),
    };
  });
}

/** Returns what a write would have changed on the check as its sender saw it. */
function changeOf(
  orders: OrderStore,
  { posReference, baseVersion, snapshot }: { posReference: string; baseVersion: number; snapshot: TerminalSnapshot },
): NonNullable<ShownChange["orders"][number]["change"]> {
  const base = (orders.versionBody(posReference, baseVersion) ?? orders.get(posReference))?.snapshot;
  const lines: readonly StoredLine[] = snapshot.lines ?? [];
  if (base === undefined) return { kind: "created", facts: beginningFacts(lines) };
  const baseLines = new Map(base.lines.map((line) => [line.id, line]));
  const { totals, orderType, guestCount, tableId, lines: _, ...fields } = snapshot;
  const changedLines =
    snapshot.lines === undefined ? base.lines : lines.map((line) => withHubFields(line, baseLines.get(line.id)));
  const after = {
    ...base,
    ...fields,
    totals: totals ?? base.totals,
    orderType: orderType ?? base.orderType,
    guestCount: guestCount ?? base.guestCount,
    tableId: tableId === undefined ? base.tableId : tableId,
    lines: changedLines,
  };
  return { kind: "edited", facts: orderFacts(base, after, "edited") };
}

/** Adds the hub's own fields of a line, which terminals do not send. */
function withHubFields(line: StoredLine, base: StoredLine | undefined): StoredLine {
  const fields = hubLineFieldNames.flatMap((name) => (base?.[name] === undefined ? [] : [[name, base[name]]]));
  return { ...line, ...Object.fromEntries(fields) };
}
