import type { Snapshot } from "@comanda/protocol";
import { openTenders } from "@comanda/rules";
import type { Recorder } from "../changes/change.ts";
import { hasMoreKitchenWork } from "../db/restore/kitchen-work.ts";
import type { LossStore } from "./loss-store.ts";
import { isPaidAlike } from "./paid-alike.ts";

/** Settles the loss of a payment when its terminal sends the payment again, so that no manager has to decide. */
export function repeatedPaymentRecorder(losses: LossStore): Recorder {
  return (change, tx) => {
    if (change.kind !== "order.stored" || change.versionKind !== "paid") return;
    const { posReference, snapshot } = change.order;
    const loss = losses.findOpen(posReference);
    if (loss?.kind !== "order_paid" || loss.order === null) return;
    const lost = loss.order.snapshot;
    // The same amount with another identity may be a second payment of the guest.
    if (identitiesOf(lost) !== identitiesOf(snapshot) || !isPaidAlike(snapshot, lost)) return;
    if (hasMoreKitchenWork(lost, snapshot)) return;
    losses.settle(tx, loss.id, "taken_over", "hub", null);
    tx.notify(["losses"]);
  };
}

/** Returns the ids of an order's payments, as a text to compare. */
function identitiesOf({ paymentId, tenders = [] }: Snapshot): string {
  return JSON.stringify([
    paymentId ?? null,
    ...openTenders({ tenders })
      .map(({ tenderId }) => tenderId)
      .toSorted(),
  ]);
}
