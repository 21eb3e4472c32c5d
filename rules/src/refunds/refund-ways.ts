import type { Payment, Refund, RefundPayment, Snapshot } from "@comanda/protocol";
import { equalsWithin, subtract, sum } from "../money/amounts.ts";
import { paymentsOf } from "../payments/payments-of.ts";
import type { PaymentMethods } from "../payments/payment-methods.ts";

type PaidCheck = Pick<Snapshot, "payments" | "tenders" | "refunds">;

/** Totals of an order may differ by so much from what its lines add up to. */
const TOLERANCE = 0.02;

/** What can still go back by a method. */
export interface MethodLeft {
  methodId: Payment["methodId"];
  left: number;
}

/**
 * What can still go back by which method: by each that the check was paid with what it brought, the largest first; in cash
 * all that was not taken on credit, since credit is no money that was handed over.
 */
export function methodsLeft(check: PaidCheck, methods: PaymentMethods): MethodLeft[] {
  const typeOf = (methodId: Payment["methodId"]) => methods?.find(({ id }) => String(id) === String(methodId))?.type;
  const paid = new Map<string, MethodLeft>();
  for (const { methodId, amount } of paymentsOf(check)) add(paid, methodId, amount);
  const byPayment = [...paid.values()].toSorted((one, other) => other.left - one.left);
  const back = (check.refunds ?? []).flatMap(({ refund }) => refund);
  const isCredit = ({ methodId }: { methodId: Payment["methodId"] }) => typeOf(methodId) === "pay_later";
  const moneyLeft = subtract(
    sum(byPayment.filter((each) => !isCredit(each)).map(({ left }) => left)),
    sum(back.filter((each) => !isCredit(each)).map(({ amount }) => amount)),
  );
  const listed = byPayment.map(({ methodId, left }): MethodLeft => {
    if (typeOf(methodId) === "cash") return { methodId, left: moneyLeft };
    const gone = sum(back.filter((each) => String(each.methodId) === String(methodId)).map(({ amount }) => amount));
    const ownLeft = subtract(left, gone);
    // What went back in cash for a card is gone as well.
    return { methodId, left: isCredit({ methodId }) ? ownLeft : Math.min(ownLeft, moneyLeft) };
  });
  const cash = methods?.find(({ type }) => type === "cash");
  const isListed = cash === undefined || listed.some(({ methodId }) => String(methodId) === String(cash.id));
  const all = isListed ? listed : [...listed, { methodId: cash.id, left: moneyLeft }];
  return all.filter(({ left }) => left > 0);
}

/**
 * The ways to give an amount back, the usual one first: by one method where it has brought so much, else by several, as the
 * check was paid, or all of it in cash. Empty where more would go back than was paid.
 */
export function refundWays(check: PaidCheck, methods: PaymentMethods, amount: number): RefundPayment[][] {
  const left = methodsLeft(check, methods);
  const single = left.flatMap((each) => (isEnough(each.left, amount) ? [[{ methodId: each.methodId, amount }]] : []));
  const brought = paymentsOf(check);
  const hasBrought = ({ methodId }: RefundPayment) =>
    isEnough(
      sum(brought.filter((each) => String(each.methodId) === String(methodId)).map((each) => each.amount)),
      amount,
    );
  if (single.flat().some(hasBrought)) return single;
  const parts: RefundPayment[] = [];
  let rest = amount;
  // Cash comes last: it could stand for every other method.
  const isCash = ({ methodId }: MethodLeft) =>
    methods?.some(({ id, type }) => type === "cash" && String(id) === String(methodId)) === true;
  for (const { methodId } of [...left.filter((one) => !isCash(one)), ...left.filter(isCash)]) {
    const part = Math.min(rest, leftBy(methodId, check, methods, parts));
    if (part <= 0) continue;
    parts.push({ methodId, amount: part });
    rest = subtract(rest, part);
  }
  return isEnough(0, rest) && parts.length > 1 ? [parts, ...single] : single;
}

/** The first method by which more would go back than it can; null: none. */
export function methodOverdrawn(
  check: PaidCheck,
  methods: PaymentMethods,
  refund: readonly RefundPayment[],
): MethodLeft | null {
  // While the methods were never read nobody knows which of them is cash.
  if (methods === null) return null;
  for (const [index, { methodId, amount }] of refund.entries()) {
    const left = leftBy(methodId, check, methods, refund.slice(0, index));
    if (!isEnough(left, amount)) return { methodId, left };
  }
  return null;
}

/** What can still go back by a method beside what goes back now. */
function leftBy(
  methodId: Payment["methodId"],
  check: PaidCheck,
  methods: PaymentMethods,
  now: RefundPayment[],
): number {
  const refunds = [...(check.refunds ?? []), { refund: now } as Refund];
  const found = methodsLeft({ ...check, refunds }, methods).find((each) => String(each.methodId) === String(methodId));
  return found?.left ?? 0;
}

function isEnough(left: number, amount: number): boolean {
  return left >= amount || equalsWithin(left, amount, TOLERANCE);
}

function add(paid: Map<string, MethodLeft>, methodId: Payment["methodId"], amount: number): void {
  const before = paid.get(String(methodId));
  paid.set(String(methodId), { methodId: before?.methodId ?? methodId, left: sum([before?.left ?? 0, amount]) });
}
