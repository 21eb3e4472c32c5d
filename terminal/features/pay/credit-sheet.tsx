import type { Customer } from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import { useEffect, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useTerminal } from "../../lib/connection/pos.ts";
import { CustomerSearch } from "./customer-search.tsx";
import type { ChosenCustomer } from "./tender.ts";

/** A customer's credit from the back-office; `unknown` if it cannot be asked now. */
type Credit = { available: number; isEnough: boolean } | "unknown" | null;

/** Charges an amount, in cents, to a customer's account. Shows the available credit first. */
export function CreditSheet({
  method,
  amount,
  customer,
  onCustomer,
  onTake,
  onClose,
}: {
  method: string;
  amount: number;
  customer: ChosenCustomer | null;
  onCustomer: (customer: Customer) => void;
  onTake: (cents: number) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("pay");
  return (
    <Sheet title={method} onClose={onClose}>
      <div className="stack credit-sheet">
        {customer !== null && <CreditOf key={customer.id} customer={customer} amount={amount} onTake={onTake} />}
        {customer === null && <p>{t("creditWho")}</p>}
        <CustomerSearch onChoose={onCustomer} />
      </div>
    </Sheet>
  );
}

function CreditOf({
  customer,
  amount,
  onTake,
}: {
  customer: ChosenCustomer;
  amount: number;
  onTake: (cents: number) => void;
}) {
  const { t, format } = useTranslation("pay");
  const { http } = useTerminal();
  const [credit, setCredit] = useState<Credit>(null);
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
