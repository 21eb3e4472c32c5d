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
export function presentKeptChange(kept: KeptChange, orders: OrderStore, unsentBehind = 0): ShownChange {
  const { mutation, settledAt, settledHow } = kept;
  const type = KeptChangeType.safeParse(mutation?.type);
  return {
    changeId: String(kept.id),
    type: type.success ? type.data : null,
    terminalId: kept.terminalId,
    unsentBehind,
    userName: kept.userName,
    receivedAt: isoTime(kept.at),
    queuedAt: isoTimeOrNull(kept.queuedAt),
    error: kept.error,
    orders: mutation === null ? [] : ordersOf(mutation, orders),
    ...(mutation?.type === "ITEM_STATE_SET" && {
      item: { productId: String(mutation.productId), state: mutation.state },
    }),
    ...(mutation?.type === "TILL_MOVE" && { move: { kind: mutation.kind, amount: mutation.amount } }),
    ...(mutation !== null && "reason" in mutation && mutation.reason !== undefined && { reason: mutation.reason }),
    settled:
      settledAt === null || settledHow === null
        ? null
        : { at: isoTime(settledAt), by: kept.settledBy ?? "", how: settledHow, note: kept.settledNote },
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
  const seen = (orders.versionBody(posReference, baseVersion) ?? orders.get(posReference))?.snapshot;
  const lines: readonly StoredLine[] = snapshot.lines ?? [];
  if (seen === undefined) return { kind: "created", facts: beginningFacts(lines) };
  const held = new Map(seen.lines.map((line) => [line.id, line]));
  const { totals, orderType, guestCount, tableId, lines: _, ...fields } = snapshot;
  const wanted =
    snapshot.lines === undefined ? seen.lines : lines.map((line) => withHubFields(line, held.get(line.id)));
  const after = {
    ...seen,
    ...fields,
    totals: totals ?? seen.totals,
    orderType: orderType ?? seen.orderType,
    guestCount: guestCount ?? seen.guestCount,
    tableId: tableId === undefined ? seen.tableId : tableId,
    lines: wanted,
  };
  return { kind: "edited", facts: orderFacts(seen, after, "edited") };
}

/** Adds the hub's own fields of a line, which terminals do not send. */
function withHubFields(line: StoredLine, held: StoredLine | undefined): StoredLine {
  const fields = hubLineFieldNames.flatMap((name) => (held?.[name] === undefined ? [] : [[name, held[name]]]));
  return { ...line, ...Object.fromEntries(fields) };
}
