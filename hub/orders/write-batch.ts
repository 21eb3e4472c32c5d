import type { TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { discountCheck } from "./adjustments.ts";
import { closeMerged, findMerges } from "./merge-orders.ts";
import { moveSentLines } from "./move-sent-lines.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { RefusedMutation } from "./refused-mutation.ts";
import type { Written } from "./save-version.ts";
import { tablesOf } from "./tables-of.ts";
import { upsertOrder } from "./upsert-order.ts";

type Batch = TerminalMessageOf<"ORDER_BATCH">;

/**
 * Split, merge, move: lines that the kitchen has may move from one order of the batch to another. An order that all lines
 * have left is closed, after the others were written. A table of an order of the batch may get another check.
 */
export function writeBatch(deps: OrderDeps, tx: Tx, { orders, additionalCheck }: Batch, writer: Writer): Written[] {
  const requireNoDiscount = discountCheck(deps, orders, writer);
  const stored = orders.map(({ posReference }) => deps.orders.get(posReference));
  const lines = orders.map(({ posReference, snapshot }, index) => ({
    posReference,
    stored: stored[index]?.snapshot.lines ?? [],
    requested: snapshot.lines,
  }));
  const held = moveSentLines(lines);
  const merges = findMerges(lines);
  const shared = new Set(stored.flatMap((order) => (order === null ? [] : tablesOf(order.snapshot))));

  const written = new Map<string, Written>();
  const isMerged = ({ posReference }: Batch["orders"][number]): boolean => merges.has(posReference);
  for (const order of orders.toSorted((one, other) => Number(isMerged(one)) - Number(isMerged(other)))) {
    const { posReference } = order;
    try {
      const mergedInto = merges.get(posReference);
      const kept = held[orders.indexOf(order)] ?? [];
      const answer =
        mergedInto === undefined
          ? upsertOrder(deps, tx, { ...order, additionalCheck }, writer, kept, shared)
          : closeMerged(deps, tx, order, writer, { mergedInto, held: kept });
      written.set(posReference, answer);
    } catch (error) {
      throw error instanceof HubError ? new RefusedMutation(posReference, error) : error;
    }
  }
  requireNoDiscount();
  return orders.flatMap(({ posReference }) => written.get(posReference) ?? []);
}
