import type { RefundLine, RefundPayment, Snapshot } from "@comanda/protocol";
import { isElectronic } from "../fiscal/electronic-receipt.ts";
import type { PaymentMethods } from "../payments/payment-methods.ts";
import { leftToRefund, refundedQuantities } from "./refund.ts";
import { refundAmount } from "./refund-amounts.ts";
import { refundOptions } from "./refund-options.ts";

/** A refundable line: the quantity left, and the quantity chosen of it. */
export interface RefundRow {
  lineId: string;
  left: number;
  chosen: number;
}

/** The refund that will be made. */
export interface RefundPlan {
  rows: RefundRow[];
  lines: RefundLine[];
  /** Everything that is left is refunded. */
  isAll: boolean;
  amount: number;
  /** The ways to pay the amount back, the usual one first. */
  options: RefundPayment[][];
}

/** Plans the refund of the chosen line quantities. A line missing in `chosen` is refunded completely. */
export function planRefund(
  snapshot: Snapshot,
  chosen: ReadonlyMap<string, number>,
  methods: PaymentMethods,
): RefundPlan {
  const rows = leftToRefund(snapshot).map(({ lineId, quantity: left }): RefundRow => {
    return { lineId, left, chosen: Math.min(left, chosen.get(lineId) ?? left) };
  });
  const lines = rows.flatMap((row) => (row.chosen > 0 ? [{ lineId: row.lineId, quantity: row.chosen }] : []));
  const amount = refundAmount(snapshot, lines, refundedQuantities(snapshot));
  return {
    rows,
    lines,
    isAll: rows.every((row) => row.chosen === row.left),
    amount,
    options: amount > 0 ? refundOptions(snapshot, methods, amount) : [],
  };
}

/** Returns the type of the note: electronic for an electronic receipt. Null if the check has no number to modify. */
export function noteTypeOf({ ncf }: Pick<Snapshot, "ncf">): "E34" | "B04" | null {
  if (ncf === undefined) return null;
  return isElectronic(ncf) ? "E34" : "B04";
}
