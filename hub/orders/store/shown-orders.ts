import { ForwardState, StoredOrder } from "@comanda/protocol";
import { parseColumn } from "../../db/rows/parse-column.ts";
import { appendJsonField } from "../../platform/append-json-field.ts";
import type { BodyRow } from "./order-heads.ts";
import type { OrderRows } from "./order-rows.ts";
import { isSoundBody, readShowableBody, type OnDamage } from "./stored-body.ts";
import type { WorkingSet } from "./working-set.ts";

/** How many versions are remembered to be fit for a list. */
const SHOWABLE_KEPT = 20_000;

/** Orders as lists and terminals get them: what no schema reads is left out, for one damaged order must not hide the others. */
export function createShownOrders({
  rows,
  workingSet,
  onDamage,
}: {
  rows: Pick<OrderRows, "get" | "activeHeads">;
  workingSet: WorkingSet;
  onDamage: OnDamage;
}) {
  /**
   * Versions that were found fit for a list: to validate an order takes twice as long as to read it, and a terminal that
   * comes back reads them all. The checksum guards against an id that an undone write had before.
   */
  const showable = new Set<string>();
  /** Orders of the working set that were. */
  const fitToShow = new WeakSet<StoredOrder>();

  function readForward(row: BodyRow): ForwardState | null {
    const forward = ForwardState.safeParse(parseColumn<unknown>(row.forward, null));
    if (!forward.success) onDamage(`the forward state of an order cannot be read: ${row.forward.slice(0, 160)}`);
    return forward.success ? forward.data : null;
  }

  /** The stored order with its forward state as a list shows it; null when there is none, or none that can be shown. */
  function shown(posReference: string): StoredOrder | null {
    const known = workingSet.known(posReference);
    if (known !== null && isKnownFit(known.order)) return { ...known.order, forward: known.forward };
    const row = rows.get(posReference);
    if (row === null) return null;
    const [order, forward] = [readShowableBody(row, onDamage), readForward(row)];
    if (order === null || forward === null) return null;
    fitToShow.add(order);
    workingSet.keep(posReference, { order, forward });
    return { ...order, forward };
  }

  function isKnownFit(order: StoredOrder): boolean {
    if (!fitToShow.has(order) && StoredOrder.safeParse(order).success) fitToShow.add(order);
    return fitToShow.has(order);
  }

  function isFitToShow(row: BodyRow): boolean {
    if (!isSoundBody(row, onDamage) || readForward(row) === null) return false;
    const key = `${row.id} ${row.checksum}`;
    if (showable.has(key)) return true;
    if (readShowableBody(row, onDamage) === null) return false;
    if (showable.size >= SHOWABLE_KEPT) showable.clear();
    showable.add(key);
    return true;
  }

  return {
    shown,
    /** Every active order as a list shows it, newest change first. */
    active: (): StoredOrder[] => rows.activeHeads().flatMap(({ posReference }) => shown(posReference) ?? []),
    /** Serialized orders with their forward state. */
    wireOf: (found: readonly BodyRow[]): string[] =>
      found.filter(isFitToShow).map((row) => appendJsonField(row.body, "forward", row.forward)),
  };
}
