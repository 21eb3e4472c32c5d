import { isActive } from "@comanda/protocol/order-status.ts";
import type { Payment, Refund, RefundLine, RefundPayment, Snapshot } from "@comanda/protocol";
import { equalsWithin } from "../money/amounts.ts";
import type { PaymentMethods } from "../payments/payment-methods.ts";
import { amountOf } from "../payments/settle-amounts.ts";
import { type LineQuantity, refundableLines, refundAmount } from "./refund-amounts.ts";
import { methodOverdrawn } from "./refund-options.ts";

export type RefundedCheck = Pick<Snapshot, "status" | "lines" | "totals" | "payments" | "tenders" | "refunds">;

/** A refund as requested by a person. */
export interface RequestedRefund {
  /** Absent: everything that is left. */
  lines?: readonly RefundLine[] | undefined;
  refund: readonly RefundPayment[];
}

/** What only the hub knows about the back-office. */
export interface RefundKnowledge {
  methods: PaymentMethods;
  /** The back-office issues notes for some lines; otherwise only one note for the whole check. */
  takesLines: boolean;
}

export type RefundRefusal =
  | { code: "NOT_PAID_YET"; values: { status: Snapshot["status"] } }
  | { code: "REFUND_UNANSWERED"; values: { refundId: string } }
  | { code: "ALL_REFUNDED"; values: Record<never, never> }
  | { code: "NO_LINE"; values: { lineId: string } }
  | { code: "MORE_THAN_LEFT"; values: { lineId: string; left: number } }
  | { code: "WHOLE_NOTES_ONLY"; values: Record<never, never> }
  | { code: "NOTHING_TO_REFUND"; values: Record<never, never> }
  | { code: "WRONG_REFUND"; values: { amount: number; named: number } }
  | { code: "METHOD_OVERDRAWN"; values: { methodId: Payment["methodId"]; left: number } };

/** The decided refund: each line with its quantity, and the amount. */
export interface DecidedRefund {
  lines: RefundLine[];
  amount: number;
}

/** Returns the line quantities of earlier refunds, including those whose note is not confirmed yet. */
export function refundedQuantities({ lines, refunds = [] }: Pick<Snapshot, "lines" | "refunds">): LineQuantity[] {
  return refunds.flatMap((refund) =>
    // A note without lines was for the whole check.
    refund.lines.length > 0 ? refund.lines : lines.map(({ id, quantity }) => ({ lineId: id, quantity })),
  );
}

/** Returns what can still be refunded of a check. */
export function leftToRefund(check: Pick<Snapshot, "lines" | "totals" | "refunds">) {
  return refundableLines(check, refundedQuantities(check));
}

/** Returns the total refunded for a check, including refunds whose note is not confirmed yet. */
export function refundedAmount(refunds: readonly Pick<Refund, "amount">[] = []): number {
  return amountOf(refunds);
}

/** Decides a refund: returns its lines and amount, or the first reason to reject it. */
export function decideRefund(
  check: RefundedCheck,
  requested: RequestedRefund,
  { methods, takesLines }: RefundKnowledge,
): DecidedRefund | { refusal: RefundRefusal } {
  const chosen = chooseLines(check, requested.lines, takesLines);
  if ("refusal" in chosen) return chosen;
  const { lines } = chosen;
  const amount = refundAmount(check, lines, refundedQuantities(check));
  if (amount <= 0) return { refusal: { code: "NOTHING_TO_REFUND", values: {} } };
  const named = amountOf(requested.refund);
  if (!equalsWithin(named, amount, 0)) return { refusal: { code: "WRONG_REFUND", values: { amount, named } } };
  const overdrawn = methodOverdrawn(check, methods, requested.refund);
  if (overdrawn !== null) return { refusal: { code: "METHOD_OVERDRAWN", values: overdrawn } };
  return { lines, amount };
}

function chooseLines(
  check: RefundedCheck,
  requested: readonly RefundLine[] | undefined,
  takesLines: boolean,
): { lines: RefundLine[] } | { refusal: RefundRefusal } {
  const { status, refunds = [] } = check;
  if (isActive(status)) return { refusal: { code: "NOT_PAID_YET", values: { status } } };
  const unanswered = refunds.find(({ state }) => state === "pending");
  if (unanswered !== undefined) {
    return { refusal: { code: "REFUND_UNANSWERED", values: { refundId: unanswered.refundId } } };
  }
  const left = leftToRefund(check);
  if (left.length === 0 || (!takesLines && refunds.length > 0))
    return { refusal: { code: "ALL_REFUNDED", values: {} } };
  for (const { lineId, quantity } of requested ?? []) {
    if (!check.lines.some(({ id }) => id === lineId)) return { refusal: { code: "NO_LINE", values: { lineId } } };
    const refundable = left.find((each) => each.lineId === lineId)?.quantity ?? 0;
    if (quantity > refundable) return { refusal: { code: "MORE_THAN_LEFT", values: { lineId, left: refundable } } };
  }
  const all = left.map(({ lineId, quantity }) => ({ lineId, quantity }));
  const lines = requested?.map(({ lineId, quantity }) => ({ lineId, quantity })) ?? all;
  if (!takesLines && !isWhole(lines, all)) return { refusal: { code: "WHOLE_NOTES_ONLY", values: {} } };
  return { lines };
}

function isWhole(lines: readonly RefundLine[], all: readonly RefundLine[]): boolean {
  return all.every((each) =>
    lines.some(({ lineId, quantity }) => lineId === each.lineId && equalsWithin(quantity, each.quantity, 0)),
  );
}
