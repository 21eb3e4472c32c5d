import type { Snapshot, StoredOrder } from "@comanda/protocol";

/** An order as the user sees it: the hub's state with this device's waiting mutations on top. */
export interface LocalOrder {
  posReference: string;
  /** The hub's version; 0 while the hub does not know the order. */
  version: number;
  tableId: number | null;
  snapshot: Snapshot;
  /** Mutations of this device that the hub has not yet answered, or whose effect has not yet come back. */
  pending: number;
  /** A send of this device is among them: the kitchen does not have it yet. */
  isSendPending: boolean;
  /** Money is among them: the hub does not have it on the check yet. */
  isPaymentPending: boolean;
  /** A payment of this device was refused and is a conflict: the money has been taken. */
  paymentRefused: boolean;
  /** Last writer on the hub; null while the hub does not know the order. */
  origin: string | null;
  forward: StoredOrder["forward"];
}
