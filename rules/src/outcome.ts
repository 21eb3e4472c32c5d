import type { ItemState, KitchenTicket, Snapshot, StoredOrder, VersionKind } from "@comanda/protocol";
import type { CheckRefusal } from "./checks/check-refusal.ts";
import type { SentLinesRefusal } from "./kitchen/place-shares.ts";
import type { KitchenRefusal } from "./kitchen/kitchen-refusal.ts";
import type { MoneyRefusal } from "./payments/money-on-check.ts";
import type { PaymentRefusal, TenderRefusal } from "./payments/pay-check.ts";
import type { TakingRefusal } from "./payments/taking-refusal.ts";

/** A new version of a check; `previous` is null for a new check. */
export interface CheckChange {
  previous: StoredOrder | null;
  snapshot: Snapshot;
  kind: Exclude<VersionKind, "discarded">;
}

/** The permanent removal of a check: discarded, or merged into the checks in `mergedInto`. */
export interface CheckRemoval {
  check: StoredOrder;
  reason: string | null;
  mergedInto?: readonly string[];
}

/** The results of a change, to be stored in this order. */
export interface ServiceChanges {
  checks: readonly CheckChange[];
  removals: readonly CheckRemoval[];
  tickets: readonly KitchenTicket[];
  /** The new stock of products that were sent. */
  itemStates: readonly ItemState[];
  /** Lines that now cost less than the menu's price, to be shown to a manager. */
  belowMenu: readonly BelowMenu[];
}

export interface BelowMenu {
  posReference: string;
  tableId: number | null;
  names: readonly string[];
}

export type Refusal =
  | CheckRefusal
  | KitchenRefusal
  | SentLinesRefusal
  | MoneyRefusal
  | PaymentRefusal
  | TenderRefusal
  | TakingRefusal;

/** Why a change was rejected, and for which check if the change names several. */
export interface Refused {
  refusal: Refusal;
  posReference?: string;
  /** For payments: it would have been accepted before another change, so the money was taken and must be accounted for. */
  isOutdated?: true;
}

/** The result of a change, or why it was rejected. */
export type Outcome = ServiceChanges | Refused;

/** Fills in empty lists for the changes that are not given. */
export function changesOf(changes: Partial<ServiceChanges>): ServiceChanges {
  return { checks: [], removals: [], tickets: [], itemStates: [], belowMenu: [], ...changes };
}
