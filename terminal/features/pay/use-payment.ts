import type { ForeignCash, ForeignCurrency, PaymentMethod, Tender } from "@comanda/protocol";
import {
  foreignValue,
  fromCents,
  nextPayment,
  openTenders,
  settleCash,
  tipOf,
  type Asked,
  type Taken,
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
  | { credit: PaymentMethod; asked: number };

export type Payment = ReturnType<typeof usePayment>;

/** The payment of a check: what is asked for next, what was chosen for it, and the ways to take it. */
export function usePayment({ posReference, snapshot }: LocalOrder, menu: MenuIndex, onChange: (cash: number) => void) {
  const { paymentMethods: methods, currency, currencies = [], ncfTypes } = menu.menu;
  const types = fiscalTypes(ncfTypes);
  const isTold = ncfTypes !== undefined;
  const tenders = openTenders(snapshot);
  const before = tenders.map(({ tenderId }) => tenderId);
  const asksFor = useAskedParts(posReference);
  const first = typeof asksFor === "number" ? { parts: { division: { count: asksFor }, before } } : {};
  const [draft, change] = usePayDraft(posReference, choiceOnCheck(tenders, types, isTold), first);
  const [sheet, setSheet] = useState<PaySheet | null>(asksFor === "amount" ? "part" : null);
  const acts = usePaymentActs(posReference);
  // The hub would refuse the money: what is paid may become another sum under the cashier's hands.
  const isInUse = useInUse()(posReference) !== null;
  const { t } = useTranslation("pay");
  const cash = methods.find((method) => method.type === "cash");
  const { total } = snapshot.totals;
  const type = typeOf(draft.fiscal, types, isTold);
  const fiscal = fiscalRequest(draft.fiscal, type);
  const asking = nextPayment(snapshot, { division: draft.parts, tip: draft.tip });
  const { due, asked } = asking;
  const askFor = (amount: number): Asked => ({ amount, tip: tipOf(draft.tip, amount, tenders) });

  /** Asks for what the fiscal number needs: it names the buyer, and stays of the type that it was asked for. */
  function isFiscalReady(): boolean {
    const problem = fiscalProblem(draft.fiscal, type, total);
    if (problem === "buyerMissing" && type !== null) change({ fiscal: { ...draft.fiscal, type: type.type } });
    if (problem !== null) setSheet("fiscal");
    return problem === null;
  }
  async function take(method: PaymentMethod, taken: Taken, foreign?: ForeignCash): Promise<void> {
    // A sheet that was open before hides who has it.
    if (isInUse) return setSheet(null);
    if (!isFiscalReady()) return;
    const credited = method.type === "pay_later" && draft.customer !== null ? { customer: draft.customer } : {};
    if (!(await acts.take({ method, taken, ...credited, foreign, fiscal }))) return;
    setSheet(null);
    if (taken.change > 0) onChange(fromCents(taken.change));
  }
  /** An amount that was typed or chosen: cash may be more than is asked, anything else not. */
  function takeAmount(method: PaymentMethod, cents: number, of: Asked): void {
    if (method.type === "cash") return void take(method, settleCash(cents, of));
    if (cents > due) return showNotice({ text: t("noChange", { method: method.name }) });
    const { amount, tip } = askFor(cents);
    if (method.type === "pay_later") return setSheet({ credit: method, asked: amount });
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
    /** Cash of other countries, where the house takes any. */
    currencies: cash === undefined ? [] : currencies,
    total,
    types,
    type,
    asking,
    takeAmount,
    choose: (method: PaymentMethod) =>
      takeAmount(method, method.type === "cash" ? asked.amount + asked.tip : asked.amount, asked),
    /** Cash of another country, in its cents: change is in pesos. */
    takeForeign(kind: ForeignCurrency, cents: number): void {
      const foreign = { currency: kind.code, amount: fromCents(cents), rate: kind.rate };
      const value = toCents(foreignValue(foreign, kind));
      if (cash !== undefined) void take(cash, settleCash(value, asked), foreign);
    },
    takeCredit: (method: PaymentMethod, cents: number) => void take(method, { ...askFor(cents), change: 0 }),
    takeBack: acts.takeBack,
    close: () => isFiscalReady() && void acts.close(fiscal),
  };
}

/** How the address asks to divide what is left of the check; it is cleaned, because a reload does not mean it again. */
function useAskedParts(posReference: string): ReturnType<typeof readParts> {
  const { parts } = useParams<{ parts?: string }>();
  const [asked] = useState(() => readParts(parts));
  const [, go] = useLocation();
  useEffect(() => {
    if (asked !== null) go(`/pay/${encodeURIComponent(posReference)}`, { replace: true });
  }, [asked, posReference, go]);
  return asked;
}
