import type { Snapshot, StoredOrder } from "@comanda/protocol";

/** An order as the user sees it: the hub's state with this device's queued mutations applied. */
export interface LocalOrder {
  posReference: string;
  /** The hub's version, or 0 while the hub does not know the order. */
  version: number;
  tableId: number | null;
  snapshot: Snapshot;
  /** Number of this device's mutations that are unanswered, or whose effect has not come back from the hub yet. */
  pending: number;
  /** A queued send is among them: the kitchen does not have it yet. */
  isSendPending: boolean;
  /** A queued payment is among them: the hub does not have it yet. */
  isPaymentPending: boolean;
  /** A payment of this device was refused and is a conflict, although the money was taken. */
  paymentRefused: boolean;
  /** Last writer on the hub, or null while the hub does not know the order. */
  origin: string | null;
  forward: StoredOrder["forward"];
}
