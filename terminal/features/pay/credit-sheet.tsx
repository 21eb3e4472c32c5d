import type { PaymentMethod } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";
import { CustomerSearch } from "./customer-search.tsx";
import { chooseCustomer } from "./pay-draft.ts";
import type { ChosenCustomer } from "./tender.ts";
import type { Payment } from "./use-payment.ts";

/** Charges an amount, in cents, to a customer's account. Shows the available credit first. */
export function CreditSheet({ payment, method, amount }: { payment: Payment; method: PaymentMethod; amount: number }) {
  const { t } = useTranslation("pay");
  const { draft, change, setSheet, takeCredit } = payment;
  const { customer } = draft;
  const take = (cents: number): void => takeCredit(method, cents);
  return (
    <Sheet title={method.name} onClose={() => setSheet(null)}>
      <div className="stack credit-sheet">
        {customer === null && <p>{t("creditWho")}</p>}
        {customer !== null && <CreditOf key={customer.id} customer={customer} amount={amount} onTake={take} />}
        <CustomerSearch onChoose={(found) => change(chooseCustomer(draft, found))} />
      </div>
    </Sheet>
  );
}

interface CreditOfProps {
  customer: ChosenCustomer;
  amount: number;
  onTake: (cents: number) => void;
}

function CreditOf({ customer, amount, onTake }: CreditOfProps) {
  const { t, format } = useTranslation("pay");
  const { http } = useTerminal();
  /** The customer's credit from the back-office; "unknown" if it cannot be asked now. */
  const [credit, setCredit] = useState<{ available: number; isEnough: boolean } | "unknown" | null>(null);
  useEffect(() => {
    let isOld = false;
    http.creditCheck({ customerId: customer.id, amount: fromCents(amount) }).then(
      ({ available, eligible }) => !isOld && setCredit({ available, isEnough: eligible }),
      () => !isOld && setCredit("unknown"),
    );
    return () => {
      isOld = true;
    };
  }, [http, customer.id, amount]);

  const isRefused = credit !== null && credit !== "unknown" && !credit.isEnough;
  const rest = isRefused ? Math.min(amount, toCents(credit.available)) : amount;
  return (
    <div className="stack">
      <strong>{customer.name}</strong>
      <output data-tone={isRefused || credit === "unknown" ? "warn" : undefined}>
        {credit === null && t("creditAsking")}
        {credit === "unknown" && t("creditUnknown")}
        {credit !== null && credit !== "unknown" && t("creditAvailable", { amount: format.money(credit.available) })}
        {isRefused && ` ${t("creditNotEnough")}`}
      </output>
      {rest > 0 && (
        <ActButton kind="money" onAct={() => onTake(rest)}>
          {t("creditTake", { amount: format.money(fromCents(rest)) })}
        </ActButton>
      )}
    </div>
  );
}
