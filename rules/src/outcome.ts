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

/** A check is gone for good: discarded, or its lines went to the checks of `mergedInto`. */
export interface CheckRemoval {
  check: StoredOrder;
  reason: string | null;
  mergedInto?: readonly string[];
}

/** What a change leaves behind, to be stored in this order. */
export interface ServiceChanges {
  checks: readonly CheckChange[];
  removals: readonly CheckRemoval[];
  tickets: readonly KitchenTicket[];
  /** What is left of products that were sent. */
  itemStates: readonly ItemState[];
  /** Lines that came to cost less than the menu asks: a manager is shown them. */
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

/** Why nothing is changed, and about which check it is where a change names several. */
export interface Refused {
  refusal: Refusal;
  posReference?: string;
  /** Of money: it would have been taken until something else changed. It was taken then, and is a fact. */
  isOutdated?: true;
}

/** What becomes of a change: what it leaves behind, or why nothing does. */
export type Outcome = ServiceChanges | Refused;

/** Changes of nothing but what is named. */
export function changesOf(changes: Partial<ServiceChanges>): ServiceChanges {
  return { checks: [], removals: [], tickets: [], itemStates: [], belowMenu: [], ...changes };
}
