import type { Payment, Refund, Takings } from "@comanda/protocol";
import { sum } from "../money/amounts.ts";
import { refundedAmount } from "../refunds/refund.ts";

export const noTakings: Takings = { paidOrders: 0, paidAmount: 0, byMethod: [] };

/** Adds a paid check to takings. The closing report and the daily sales both use this function. */
export function withTaking(takings: Takings, check: { total: number; payments: readonly Payment[] }): Takings {
  const byMethod = takings.byMethod.map((method) => ({ ...method }));
  const tips = check.payments.map(({ tip = 0 }) => tip).filter((tip) => tip !== 0);
  for (const { methodId, amount, tip = 0 } of check.payments) {
    const method = methodOf(byMethod, methodId);
    method.amount = sum([method.amount, amount]);
    method.payments += 1;
    if (tip !== 0) method.tips = sum([method.tips ?? 0, tip]);
  }
  return {
    ...takings,
    paidOrders: takings.paidOrders + 1,
    paidAmount: sum([takings.paidAmount, check.total]),
    ...(tips.length > 0 && { tips: sum([takings.tips ?? 0, ...tips]) }),
    byMethod,
  };
}

/** Adds refunds, of any checks, to takings. */
export function withRefunds(takings: Takings, refunds: readonly Pick<Refund, "amount" | "refund">[]): Takings {
  if (refunds.length === 0) return takings;
  const byMethod = takings.byMethod.map((method) => ({ ...method }));
  for (const { methodId, amount } of refunds.flatMap(({ refund }) => refund)) {
    const method = methodOf(byMethod, methodId);
    method.refunded = sum([method.refunded ?? 0, amount]);
  }
  return { ...takings, refunds: { notes: refunds.length, amount: refundedAmount(refunds) }, byMethod };
}

function methodOf(byMethod: Takings["byMethod"], methodId: Payment["methodId"]): Takings["byMethod"][number] {
  const existing = byMethod.find((each) => String(each.methodId) === String(methodId));
  if (existing !== undefined) return existing;
  const method = { methodId, amount: 0, payments: 0 };
  byMethod.push(method);
  return method;
}
