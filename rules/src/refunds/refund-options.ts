import type { Payment, Refund, RefundPayment, Snapshot } from "@comanda/protocol";
import { equalsWithin, subtract, sum } from "../money/amounts.ts";
import { paymentsOf } from "../payments/payments-of.ts";
import type { PaymentMethods } from "../payments/payment-methods.ts";

type PaidCheck = Pick<Snapshot, "payments" | "tenders" | "refunds">;

/** Accepted difference between the total of an order and the sum of its lines. */
const TOLERANCE = 0.02;

/** The amount that can still be refunded by a method. */
export interface RefundableMethod {
  methodId: Payment["methodId"];
  left: number;
}

/**
 * Returns the amount that can still be refunded by each method, the largest payment first. A method can refund what it brought.
 * Cash can refund everything that was not paid on credit, because credit brought no money.
 */
export function refundableMethods(check: PaidCheck, methods: PaymentMethods): RefundableMethod[] {
  const typeOf = (methodId: Payment["methodId"]) => methods?.find(({ id }) => String(id) === String(methodId))?.type;
  const paid = new Map<string, RefundableMethod>();
  for (const { methodId, amount } of paymentsOf(check)) add(paid, methodId, amount);
  const byPayment = [...paid.values()].toSorted((one, other) => other.left - one.left);
  const back = (check.refunds ?? []).flatMap(({ refund }) => refund);
  const isCredit = ({ methodId }: { methodId: Payment["methodId"] }) => typeOf(methodId) === "pay_later";
  const moneyLeft = subtract(
    sum(byPayment.filter((each) => !isCredit(each)).map(({ left }) => left)),
    sum(back.filter((each) => !isCredit(each)).map(({ amount }) => amount)),
  );
  const listed = byPayment.map(({ methodId, left }): RefundableMethod => {
    if (typeOf(methodId) === "cash") return { methodId, left: moneyLeft };
    const refunded = sum(back.filter((each) => String(each.methodId) === String(methodId)).map(({ amount }) => amount));
    const ownLeft = subtract(left, refunded);
    // A card payment refunded in cash cannot be refunded again by card.
    return { methodId, left: isCredit({ methodId }) ? ownLeft : Math.min(ownLeft, moneyLeft) };
  });
  const cash = methods?.find(({ type }) => type === "cash");
  const isListed = cash === undefined || listed.some(({ methodId }) => String(methodId) === String(cash.id));
  const all = isListed ? listed : [...listed, { methodId: cash.id, left: moneyLeft }];
  return all.filter(({ left }) => left > 0);
}

/**
 * Returns the ways to pay an amount back, the usual one first: by a single method that brought that much; otherwise by several
 * as the check was paid, or all in cash. Empty if the amount exceeds what was paid.
 */
export function refundOptions(check: PaidCheck, methods: PaymentMethods, amount: number): RefundPayment[][] {
  const refundable = refundableMethods(check, methods);
  const single = refundable.flatMap((each) =>
    isEnough(each.left, amount) ? [[{ methodId: each.methodId, amount }]] : [],
  );
  const payments = paymentsOf(check);
  const hasPaid = ({ methodId }: RefundPayment) =>
    isEnough(
      sum(payments.filter((each) => String(each.methodId) === String(methodId)).map((each) => each.amount)),
      amount,
    );
  if (single.flat().some(hasPaid)) return single;
  const parts: RefundPayment[] = [];
  let rest = amount;
  // Cash is used last, because it can replace any other method.
  const isCash = ({ methodId }: RefundableMethod) =>
    methods?.some(({ id, type }) => type === "cash" && String(id) === String(methodId)) === true;
  for (const { methodId } of [...refundable.filter((one) => !isCash(one)), ...refundable.filter(isCash)]) {
    const part = Math.min(rest, refundableBy(methodId, check, methods, parts));
    if (part <= 0) continue;
    parts.push({ methodId, amount: part });
    rest = subtract(rest, part);
  }
  return isEnough(0, rest) && parts.length > 1 ? [parts, ...single] : single;
}

/** Returns the first method that would refund more than it can, or null. */
export function methodOverdrawn(
  check: PaidCheck,
  methods: PaymentMethods,
  refund: readonly RefundPayment[],
): RefundableMethod | null {
  // While the methods were never read, it is unknown which of them is cash.
  if (methods === null) return null;
  for (const [index, { methodId, amount }] of refund.entries()) {
    const refundable = refundableBy(methodId, check, methods, refund.slice(0, index));
    if (!isEnough(refundable, amount)) return { methodId, left: refundable };
  }
  return null;
}

/** Returns what a method can still refund in addition to the refunds in `now`. */
function refundableBy(
  methodId: Payment["methodId"],
  check: PaidCheck,
  methods: PaymentMethods,
  now: RefundPayment[],
): number {
  const refunds = [...(check.refunds ?? []), { refund: now } as Refund];
  const found = refundableMethods({ ...check, refunds }, methods).find(
    (each) => String(each.methodId) === String(methodId),
  );
  return found?.left ?? 0;
}

function isEnough(left: number, amount: number): boolean {
  return left >= amount || equalsWithin(left, amount, TOLERANCE);
}

function add(paid: Map<string, RefundableMethod>, methodId: Payment["methodId"], amount: number): void {
  const before = paid.get(String(methodId));
  paid.set(String(methodId), { methodId: before?.methodId ?? methodId, left: sum([before?.left ?? 0, amount]) });
}
