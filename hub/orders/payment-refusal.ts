import type { StoredOrder } from "@comanda/protocol";
import {
  refusalOfRemoval,
  refusalOfTotal,
  totalsAgree,
  type AmountRefusal,
  type PaymentRefusal,
  type TenderRefusal,
} from "@comanda/rules";
import { HubError } from "../platform/errors.ts";

/** What a terminal is told of a payment that its check does not take. */
export function sentenceOfPayment(refusal: PaymentRefusal, posReference: string): string {
  switch (refusal.code) {
    case "NOTHING_CHARGED":
      return `order ${posReference} has no lines: discard it instead`;
    case "NOT_COVERED":
      return `payments: ${refusal.values.paid} does not cover ${totalOf(refusal.values)}`;
    case "TOO_MUCH":
      return `payments: ${refusal.values.paid} is more than ${totalOf(refusal.values)}, and only cash gives change`;
    case "WRONG_TENDERED":
      return sentenceOfTendered(refusal);
  }
}

/** What a terminal is told of a tender that its check does not take. */
export function sentenceOfTender(refusal: TenderRefusal, posReference: string): string {
  switch (refusal.code) {
    case "NOTHING_CHARGED":
      return `order ${posReference} has no lines: there is nothing to pay`;
    case "MORE_THAN_DUE":
      return `amount: more than the ${refusal.values.due} that is due on order ${posReference}`;
    case "WRONG_TENDERED":
      return sentenceOfTendered(refusal);
  }
}

export function sentenceOfTendered({
  values: { tendered, amount, change },
}: Extract<AmountRefusal, { code: "WRONG_TENDERED" }>): string {
  const named = change === undefined ? "" : ` of ${change}`;
  return `tendered: ${tendered} is not the amount of ${amount} and the change${named}`;
}

function totalOf({ total, before }: { total: number; before: number }): string {
  return `the total of ${total}${before === 0 ? "" : ` after the ${before} that is paid`}`;
}

/** Refuses to remove a check, or to close it by a merge, while money lies on it. */
export function requireNoPayments({ posReference, snapshot }: StoredOrder): void {
  const refusal = refusalOfRemoval(snapshot);
  if (refusal === null) return;
  const { paid } = refusal.values;
  throw new HubError("HAS_PAYMENTS", `order ${posReference} has payments of ${paid}: take them back first`);
}

/** Refuses an edit that would bring a check's total below what is paid on it. */
export function requireTotalCoversPaid(
  stored: StoredOrder | null,
  { totals: { total } }: Pick<StoredOrder["snapshot"], "totals">,
): void {
  const refusal = stored === null ? null : refusalOfTotal(stored.snapshot, total);
  if (stored === null || refusal === null) return;
  const { paid } = refusal.values;
  throw new HubError(
    "HAS_PAYMENTS",
    `the total of ${total} is below the ${paid} that is paid on order ${stored.posReference}`,
  );
}

/** Refuses a total that is not what its parts add up to. `parts` says what they are. */
export function requireTotals(field: string, total: number, added: number, parts: string): void {
  if (totalsAgree(total, added)) return;
  throw new HubError("TOTALS_MISMATCH", `${field} is ${total}, but ${parts} add up to ${added}`);
}
