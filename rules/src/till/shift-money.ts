import type { FloatOfCurrency, MoveKind, ShiftMethod, Tender } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";

/** A movement of money by a payment method; negative if it was given back. */
export interface TillMoney {
  methodId: string;
  /** The amount as it counts for the check. */
  amount: number;
  tip: number;
  isRefund: boolean;
  /** The amount as it counts for the drawer, in pesos; for foreign cash only the change. */
  drawer: number;
  currency?: string | undefined;
  /** The amount in that currency. */
  foreign: number;
}

type Paid = Pick<Tender, "methodId" | "amount" | "tip" | "change"> & {
  foreign?: { currency: string; amount: number } | undefined;
};

/** Returns the money that a payment moves. */
export function moneyOf(payment: object & Paid): TillMoney {
  const { methodId, amount, tip = 0, change = 0, foreign } = payment;
  return {
    methodId: String(methodId),
    amount,
    tip,
    isRefund: false,
    drawer: foreign === undefined ? sum([amount, tip]) : subtract(0, change),
    ...(foreign !== undefined && { currency: foreign.currency }),
    foreign: foreign?.amount ?? 0,
  };
}

/** Returns the opposite movement. */
export function reversed(money: TillMoney): TillMoney {
  const { amount, tip, drawer, foreign } = money;
  const back = (value: number): number => subtract(0, value);
  return { ...money, amount: back(amount), tip: back(tip), drawer: back(drawer), foreign: back(foreign) };
}

/** Returns how a move changes the cash in a drawer. */
export function cashOfMove({ kind, amount }: { kind: MoveKind; amount: number }): number {
  return kind === "in" ? amount : subtract(0, amount);
}

/** The cash of a shift: the method of its float and moves, and all methods whose money is kept in its drawer. */
export interface ShiftCash {
  cashMethodId: string;
  cash: ReadonlySet<string>;
}

/**
 * Returns the method under which money in the drawer is counted. Cash of one currency is counted together, even if the
 * back-office has several methods for it. Money with a currency is cash.
 */
export function heapOf(
  { methodId, currency }: { methodId: string | number; currency?: string | undefined },
  { cashMethodId, cash }: ShiftCash,
): string {
  return currency !== undefined || cash.has(String(methodId)) ? cashMethodId : String(methodId);
}

/** The drawer of a shift, with its floats and moves. */
export interface ShiftDrawer extends ShiftCash {
  float: number;
  floats: readonly FloatOfCurrency[];
  moves: readonly { kind: MoveKind; amount: number }[];
}

type Expected = Omit<ShiftMethod, "counted" | "difference">;

/** Returns the expected amounts by method, and by currency for cash. Cash comes first. */
export function expectedByMethod(money: readonly TillMoney[], drawer: ShiftDrawer): Expected[] {
  const { cashMethodId, float, floats, moves } = drawer;
  const found = new Map<string, Expected>();
  const entry = (methodId: string, currency?: string): Expected => {
    const key = JSON.stringify([methodId, currency]);
    const existing = found.get(key);
    if (existing !== undefined) return existing;
    const isOther = heapOf({ methodId, currency }, drawer) !== methodId;
    const empty = {
      methodId,
      ...(currency !== undefined && { currency }),
      ...NOTHING,
      ...(isOther && { withCash: true as const }),
    };
    found.set(key, empty);
    return empty;
  };
  const cash = entry(cashMethodId);
  cash.expected = sum([float, ...moves.map(cashOfMove)]);
  for (const { currency, amount } of floats) entry(cashMethodId, currency).expected = amount;
  for (const { methodId, amount, tip, isRefund, drawer: inPesos, currency, foreign } of money) {
    const method = entry(methodId);
    const inHeap = heapOf({ methodId, currency }, drawer);
    const heap = entry(inHeap);
    if (isRefund) method.refunded = subtract(method.refunded, amount);
    else method.sales = sum([method.sales, amount]);
    method.tips = sum([method.tips, tip]);
    heap.expected = sum([heap.expected, inPesos]);
    if (currency === undefined) continue;
    method.foreign = subtract(sum([method.foreign ?? 0, amount, tip]), inPesos);
    const other = entry(methodId, currency);
    other.sales = sum([other.sales, foreign]);
    const otherHeap = entry(inHeap, currency);
    otherHeap.expected = sum([otherHeap.expected, foreign]);
  }
  return [...found.values()];
}

const NOTHING = { sales: 0, tips: 0, refunded: 0, expected: 0 };

/** Returns what a shift took for checks. */
export function salesOf(methods: readonly Pick<ShiftMethod, "sales" | "currency">[]): number {
  return sum(methods.flatMap(({ currency, sales }) => (currency === undefined ? [sales] : [])));
}
