import { linesOf } from "../../orders/order-content.ts";
import type { HubOrders } from "./decide-message.ts";
import type { Intent } from "./outbox-entry.ts";

/** Lines by id, each with the checks that it stayed on. */
export type SavedStayedLines = readonly (readonly [lineId: string, orders: readonly string[]])[];

export type StayedLines = ReturnType<typeof createStayedLines>;

/** Lines that a change would have taken from these checks, and that was given up: what was made on top of it may carry them on. */
export function createStayedLines(deps: {
  saved: SavedStayedLines;
  /** Keeps them over a reload; null when there are none any more. */
  save: (lines: SavedStayedLines | null) => Promise<void>;
  hubOrder: HubOrders;
}) {
  const { saved, save, hubOrder } = deps;
  const ordersByLine = new Map(saved.map(([lineId, orders]) => [lineId, new Set(orders)]));

  return {
    /** A refused change is given up. Resolves when that is kept, or cannot be: then it counts until this process ends. */
    async note(intent: Intent): Promise<void> {
      if (intent.type !== "ORDER_BATCH") return;
      for (const { posReference, base, next } of intent.orders) {
        const stays = new Set(linesOf(next).map(({ id }) => id));
        for (const { id } of base === null ? [] : linesOf(base)) {
          if (!stays.has(id)) ordersByLine.set(id, (ordersByLine.get(id) ?? new Set<string>()).add(posReference));
        }
      }
      if (ordersByLine.size > 0) await save([...ordersByLine].map(([lineId, orders]) => [lineId, [...orders]]));
    },
    /** Whether a line stayed on one of the hub's checks other than `own`. */
    has: (lineId: string, own: ReadonlySet<string>): boolean =>
      [...(ordersByLine.get(lineId) ?? [])].some(
        (posReference) =>
          !own.has(posReference) && hubOrder(posReference)?.snapshot.lines.some(({ id }) => id === lineId) === true,
      ),
    /** Nothing that was made on top of a given-up change is left. */
    forget(): void {
      if (ordersByLine.size === 0) return;
      ordersByLine.clear();
      void save(null);
    },
  };
}
