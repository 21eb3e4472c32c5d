import type { Snapshot } from "@comanda/protocol";
import { openTenders } from "@comanda/rules";
import type { Recorder } from "../changes/change.ts";
import { hasMoreKitchenWork } from "../db/restore/kitchen-work.ts";
import type { LossStore } from "./loss-store.ts";
import { isPaidAlike } from "./paid-alike.ts";

/** A payment that a restore has lost, and that its terminal brings again, leaves nothing for a manager to decide. */
export function repeatedPaymentRecorder(losses: LossStore): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.did !== "paid") return;
    const { posReference, snapshot } = change.order;
    const loss = losses.openOf(posReference);
    if (loss?.kind !== "order_paid" || loss.order === null) return;
    const lost = loss.order.snapshot;
    // The same amount under another identity may be a guest who pays twice.
    if (identitiesOf(lost) !== identitiesOf(snapshot) || !isPaidAlike(snapshot, lost)) return;
    if (hasMoreKitchenWork(lost, snapshot)) return;
    losses.settle(tx, loss.id, "taken_over", "hub", null);
    tx.notify(["losses"]);
  };
}

/** What its payments are known by. */
function identitiesOf({ paymentId, tenders = [] }: Snapshot): string {
  return JSON.stringify([
    paymentId ?? null,
    ...openTenders({ tenders })
      .map(({ tenderId }) => tenderId)
      .toSorted(),
  ]);
}
