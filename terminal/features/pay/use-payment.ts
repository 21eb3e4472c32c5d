import type { ForeignCash, ForeignCurrency, PaymentMethod, Tender } from "@comanda/protocol";
import {
  foreignValue,
  fromCents,
  nextPayment,
  openTenders,
  settleCash,
  tipOf,
  type Charge,
  type SettledCash,
  toCents,
} from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useState, useEffect } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { MenuIndex } from "../../lib/menu/menu-index.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { choiceOnCheck, fiscalProblem, fiscalRequest, fiscalTypes, typeOf } from "./fiscal-types.ts";
import { useInUse } from "../../lib/connection/in-use.ts";
import { usePayDraft } from "./pay-draft.ts";
import { usePaymentActs } from "./payment-acts.ts";
import { useLocation, useParams } from "wouter";
import { readParts } from "./parts.ts";

/** A sheet over the payment. */
export type PaySheet =
  | { typed: string }
  | "part"
  | "tip"
  | "fiscal"
  | { takeBack: Tender }
  | { foreign: ForeignCurrency }
  | { credit: PaymentMethod; amount: number };

export type Payment = ReturnType<typeof usePayment>;

/** State of a check's payment: what is asked for next, the choices for it, and the acts that take it. */
export function usePayment({ posReference, snapshot }: LocalOrder, menu: MenuIndex, onChange: (cash: number) => void) {
  const { paymentMethods: methods, currency, currencies = [], ncfTypes } = menu.menu;
  const types = fiscalTypes(ncfTypes);
  const hasTypes = ncfTypes !== undefined;
  const tenders = openTenders(snapshot);
  const before = tenders.map(({ tenderId }) => tenderId);
  const asksFor = useRequestedParts(posReference);
  const first = typeof asksFor === "number" ? { parts: { division: { count: asksFor }, before } } : {};
  const [draft, change] = usePayDraft(posReference, choiceOnCheck(tenders, types, hasTypes), first);
  const [sheet, setSheet] = useState<PaySheet | null>(asksFor === "amount" ? "part" : null);
  const acts = usePaymentActs(posReference);
  // The hub would refuse the payment while the check is being edited elsewhere.
  const isInUse = useInUse()(posReference) !== null;
  const { t } = useTranslation("pay");
  const cash = methods.find((method) => method.type === "cash");
  const { total } = snapshot.totals;
  const type = typeOf(draft.fiscal, types, hasTypes);
  const fiscal = fiscalRequest(draft.fiscal, type);
  const asking = nextPayment(snapshot, { division: draft.parts, tip: draft.tip });
  const { due, charge } = asking;
  const askFor = (amount: number): Charge => ({ amount, tip: tipOf(draft.tip, amount, tenders) });

  /** Whether the fiscal number has what it needs. If not, opens its sheet and keeps the type for which the buyer is asked. */
  function isFiscalReady(): boolean {
    const problem = fiscalProblem(draft.fiscal, type, total);
    if (problem === "buyerMissing" && type !== null) change({ fiscal: { ...draft.fiscal, type: type.type } });
    if (problem !== null) setSheet("fiscal");
    return problem === null;
  }
  async function take(method: PaymentMethod, money: SettledCash, foreign?: ForeignCash): Promise<void> {
    // A sheet opened before would hide who has the check in use.
    if (isInUse) return setSheet(null);
    if (!isFiscalReady()) return;
    const credited = method.type === "pay_later" && draft.customer !== null ? { customer: draft.customer } : {};
    if (!(await acts.take({ method, money, ...credited, foreign, fiscal }))) return;
    setSheet(null);
    if (money.change > 0) onChange(fromCents(money.change));
  }
  /** Takes a typed or chosen amount; only cash may exceed the amount asked for. */
  function takeAmount(method: PaymentMethod, cents: number, of: Charge): void {
    if (method.type === "cash") return void take(method, settleCash(cents, of));
    if (cents > due) return showNotice({ text: t("noChange", { method: method.name }) });
    const { amount, tip } = askFor(cents);
    if (method.type === "pay_later") return setSheet({ credit: method, amount });
    void take(method, { amount, tip, change: 0 });
  }
  return {
    draft,
    change,
    sheet,
    setSheet,
    isInUse,
    methods,
    currency,
    cash,
    /** Foreign currencies, if the restaurant takes any. */
    currencies: cash === undefined ? [] : currencies,
    total,
    types,
    type,
    asking,
    takeAmount,
    choose: (method: PaymentMethod) =>
      takeAmount(method, method.type === "cash" ? charge.amount + charge.tip : charge.amount, charge),
    /** Takes foreign cash, in its cents; change is given in pesos. */
    takeForeign(kind: ForeignCurrency, cents: number): void {
      const foreign = { currency: kind.code, amount: fromCents(cents), rate: kind.rate };
      const value = toCents(foreignValue(foreign, kind));
      if (cash !== undefined) void take(cash, settleCash(value, charge), foreign);
    },
    takeCredit: (method: PaymentMethod, cents: number) => void take(method, { ...askFor(cents), change: 0 }),
    takeBack: acts.takeBack,
    close: () => isFiscalReady() && void acts.close(fiscal),
  };
}

/** Reads the split from the address, then clears it: a reload must not apply it again. */
function useRequestedParts(posReference: string): ReturnType<typeof readParts> {
  const { parts } = useParams<{ parts?: string }>();
  const [requested] = useState(() => readParts(parts));
  const [, go] = useLocation();
  useEffect(() => {
    if (requested !== null) go(`/pay/${encodeURIComponent(posReference)}`, { replace: true });
  }, [requested, posReference, go]);
  return requested;
}
