import { ForwardState, StoredOrder } from "@comanda/protocol";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";
import type { BodyRow } from "./order-heads.ts";
import type { OrderRows } from "./order-rows.ts";
import { isSoundBody, readShowableBody, type OnDamage } from "./stored-body.ts";
import type { WorkingSet } from "./working-set.ts";

/** The maximum size of `showable`. */
const MAX_SHOWABLE = 20_000;

/** Reads orders for lists and terminals. Leaves out orders that their schema rejects, so that the others are still shown. */
export function createShownOrders({
  rows,
  workingSet,
  onDamage,
}: {
  rows: Pick<OrderRows, "get" | "listActiveHeads">;
  workingSet: WorkingSet;
  onDamage: OnDamage;
}) {
  /**
   * Versions that are known to be valid. Validating an order takes twice as long as reading it, and a reconnecting terminal
   * reads all of them. Keys contain the checksum, because an undone write may have had the same row id.
   */
  const showable = new Set<string>();
  /** Orders of the working set that are known to be valid. */
  const fitToShow = new WeakSet<StoredOrder>();

  function readForward(row: BodyRow): ForwardState | null {
    const forward = ForwardState.safeParse(parseColumn<unknown>(row.forward, null));
    if (!forward.success) onDamage(`the forward state of an order cannot be read: ${row.forward.slice(0, 160)}`);
    return forward.success ? forward.data : null;
  }

  /** Reads the stored order with its forward state, for display in a list; null if it is missing or cannot be shown. */
  function shown(posReference: string): StoredOrder | null {
    const cached = workingSet.cached(posReference);
    if (cached !== null && isFit(cached.order)) return { ...cached.order, forward: cached.forward };
    const row = rows.get(posReference);
    if (row === null) return null;
    const [order, forward] = [readShowableBody(row, onDamage), readForward(row)];
    if (order === null || forward === null) return null;
    fitToShow.add(order);
    workingSet.keep(posReference, { order, forward });
    return { ...order, forward };
  }

  function isFit(order: StoredOrder): boolean {
    if (!fitToShow.has(order) && StoredOrder.safeParse(order).success) fitToShow.add(order);
    return fitToShow.has(order);
  }

  function isFitToShow(row: BodyRow): boolean {
    if (!isSoundBody(row, onDamage) || readForward(row) === null) return false;
    const key = `${row.id} ${row.checksum}`;
    if (showable.has(key)) return true;
    if (readShowableBody(row, onDamage) === null) return false;
    if (showable.size >= MAX_SHOWABLE) showable.clear();
    showable.add(key);
    return true;
  }

  return {
    shown,
    /** Every active order that can be shown, newest change first. */
    listActive: (): StoredOrder[] => rows.listActiveHeads().flatMap(({ posReference }) => shown(posReference) ?? []),
    /** Serializes orders with their forward state. Leaves out those that cannot be shown. */
    wireOf: (found: readonly BodyRow[]): string[] =>
      found.filter(isFitToShow).map((row) => appendJsonField(row.body, "forward", row.forward)),
  };
}
