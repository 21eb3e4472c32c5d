import type { Snapshot, TerminalMessageOf } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import { planKitchenWrite, rightsOf } from "./kitchen-write.ts";
import { checkPrices } from "./line-prices.ts";
import { closeMerged, findMerges } from "./merge-orders.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { RefusedMutation } from "./refused-mutation.ts";
import { written, type Written } from "./save-version.ts";
import { tablesOf } from "./tables-of.ts";
import { writeOrder } from "./upsert-order.ts";

type Batch = TerminalMessageOf<"ORDER_BATCH">;

/**
 * Split, merge, move: lines that the kitchen has may move from one order of the batch to another. An order that all lines
 * have left is closed, after the others were written. A table of an order of the batch may get another check.
 */
export function writeBatch(deps: OrderDeps, tx: Tx, batch: Batch, writer: Writer): Written[] {
  const { additionalCheck } = batch;
  const prices = checkPrices(deps, batch.orders, writer);
  const orders = prices.writes;
  const present = orders.map(({ posReference }) => deps.orders.get(posReference));
  const isSplit = present.some((order) => order !== null);
  const checks = orders.map(({ posReference, snapshot }, index) => {
    const stored = present[index]?.snapshot.lines ?? [];
    return { posReference, stored, requested: snapshot.lines ?? stored };
  });
  const kitchen = planKitchenWrite(deps, tx, checks, rightsOf(deps, tx, writer));
  const merges = findMerges(checks);
  const shared = new Set(present.flatMap((order) => (order === null ? [] : tablesOf(order.snapshot))));

  const answers = new Map<string, Written>();
  const snapshots: Snapshot[] = [];
  const isMerged = ({ posReference }: Batch["orders"][number]): boolean => merges.has(posReference);
  for (const order of orders.toSorted((one, other) => Number(isMerged(one)) - Number(isMerged(other)))) {
    const { posReference } = order;
    try {
      const mergedInto = merges.get(posReference);
      if (mergedInto === undefined) {
        const change = writeOrder(deps, tx, { ...order, additionalCheck, isSplit }, writer, kitchen, shared);
        snapshots.push(change.order.snapshot);
        answers.set(posReference, written(change));
      } else {
        answers.set(posReference, closeMerged(deps, tx, order, writer, { mergedInto, kitchen }));
      }
    } catch (error) {
      throw error instanceof HubError ? new RefusedMutation(posReference, error) : error;
    }
  }
  prices.confirm(tx);
  kitchen.save(writer, snapshots);
  return orders.flatMap(({ posReference }) => answers.get(posReference) ?? []);
}
