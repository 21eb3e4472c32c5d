import type { FloatOfCurrency, MoveKind, ShiftMethod, Tender } from "@comanda/protocol";
import { subtract, sum } from "../money/amounts.ts";

/** One movement of money by a payment method; below 0 for what was given back. */
export interface TillMoney {
  methodId: string;
  /** What it is to the check. */
  amount: number;
  tip: number;
  isRefund: boolean;
  /** What it is in the drawer, in pesos: for cash of another country only the change. */
  drawer: number;
  currency?: string | undefined;
  /** How much of that currency. */
  foreign: number;
}

type Paid = Pick<Tender, "methodId" | "amount" | "tip" | "change"> & {
  foreign?: { currency: string; amount: number } | undefined;
};

/** What a payment moves. */
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

/** The same on its way back. */
export function givenBack(money: TillMoney): TillMoney {
  const { amount, tip, drawer, foreign } = money;
  const back = (value: number): number => subtract(0, value);
  return { ...money, amount: back(amount), tip: back(tip), drawer: back(drawer), foreign: back(foreign) };
}

/** What a move does to the cash of a drawer. */
export function cashOfMove({ kind, amount }: { kind: MoveKind; amount: number }): number {
  return kind === "in" ? amount : subtract(0, amount);
}

/** The cash of a shift: the method that its float and its moves are of, and all whose money lies in its drawer. */
export interface ShiftCash {
  cashMethodId: string;
  cash: ReadonlySet<string>;
}

/**
 * Under which method money lies in the drawer: cash of one currency is one heap, whatever the back-office calls it. What has
 * a currency is cash.
 */
export function heapOf(
  { methodId, currency }: { methodId: string | number; currency?: string | undefined },
  { cashMethodId, cash }: ShiftCash,
): string {
  return currency !== undefined || cash.has(String(methodId)) ? cashMethodId : String(methodId);
}

/** The drawer of a shift, and what its float and its moves come to. */
export interface ShiftDrawer extends ShiftCash {
  float: number;
  floats: readonly FloatOfCurrency[];
  moves: readonly { kind: MoveKind; amount: number }[];
}

type Expected = Omit<ShiftMethod, "counted" | "difference">;

/** What should be there by method, and by currency of cash; cash comes first. */
export function expectedByMethod(money: readonly TillMoney[], drawer: ShiftDrawer): Expected[] {
  const { cashMethodId, float, floats, moves } = drawer;
  const found = new Map<string, Expected>();
  const entry = (methodId: string, currency?: string): Expected => {
    const key = JSON.stringify([methodId, currency]);
    const known = found.get(key);
    if (known !== undefined) return known;
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

/** What a shift took for checks. */
export function salesOf(methods: readonly Pick<ShiftMethod, "sales" | "currency">[]): number {
  return sum(methods.flatMap(({ currency, sales }) => (currency === undefined ? [sales] : [])));
}
