import type { RefundLine, RefundPayment, Snapshot } from "@comanda/protocol";
import { isElectronic } from "../fiscal/electronic-receipt.ts";
import type { PaymentMethods } from "../payments/payment-methods.ts";
import { leftToRefund, refundedQuantities } from "./refund.ts";
import { refundAmount } from "./refund-amounts.ts";
import { refundWays } from "./refund-ways.ts";

/** A line that can still be given back: how much of it is, of how much. */
export interface RefundRow {
  lineId: string;
  left: number;
  chosen: number;
}

/** Exactly what will happen. */
export interface RefundPlan {
  rows: RefundRow[];
  lines: RefundLine[];
  /** All that is left. */
  isAll: boolean;
  amount: number;
  /** The ways to give the amount back, the usual one first. */
  ways: RefundPayment[][];
}

/** What giving back so much of each line comes to; all of a line that is not named in `chosen`. */
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
    ways: amount > 0 ? refundWays(snapshot, methods, amount) : [],
  };
}

/** The type of the note: electronic for an electronic receipt. Null: the check has no number that a note could modify. */
export function noteTypeOf({ ncf }: Pick<Snapshot, "ncf">): "E34" | "B04" | null {
  if (ncf === undefined) return null;
  return isElectronic(ncf) ? "E34" : "B04";
}
