import { cashProposals, fromCents, toCents } from "@comanda/rules";
import { useEffect, useRef } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { readKeys } from "../../lib/page/key-reader.ts";
import { useStable } from "../../lib/page/use-stable.ts";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";
import type { Payment } from "./use-payment.ts";

/** The ways to pay: cash by usual notes, foreign cash, and every method. */
export function PayMethods({ payment }: { payment: Payment }) {
  const { t } = useTranslation("pay");
  const { methods, currencies, choose, setSheet } = payment;
  const moneyIn = useForeignMoney();
  return (
    <>
      <CashNotes payment={payment} />
      {methods.length === 0 && (
        <p className="pay-warning" data-tone="warn">
          {t("noMethods")}
        </p>
      )}
      <fieldset className="pay-methods" aria-label={t("methods")}>
        {methods.map((method) => (
          <ActButton key={method.id} kind="main" onAct={() => choose(method)}>
            {method.name}
          </ActButton>
        ))}
      </fieldset>
      {currencies.length > 0 && (
        <fieldset className="pay-currencies" aria-label={t("currencies")}>
          {currencies.map((kind) => (
            <ActButton key={kind.code} size="small" onAct={() => setSheet({ foreign: kind })}>
              {moneyIn(kind.code).sign}
              <span className="act-more">{t("rate", { rate: kind.rate })}</span>
            </ActButton>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Cash buttons. A digit key starts an amount; Enter focuses the exact amount. */
function CashNotes({ payment }: { payment: Payment }) {
  const { t, format } = useTranslation("pay");
  const { cash, currency, total, asking, choose, takeAmount, setSheet } = payment;
  const notes = useRef<HTMLFieldSetElement>(null);
  const pressed = useStable((event: KeyboardEvent): void => {
    const exact = notes.current?.querySelector<HTMLElement>("button:enabled");
    const isDigit = /^\d$/.test(event.key);
    const isOnKey = event.target instanceof Element && event.target.closest("button, a") !== null;
    if (exact == null || (!isDigit && (event.key !== "Enter" || isOnKey))) return;
    // Otherwise the sheet or the focused button would handle the same key again.
    event.preventDefault();
    event.stopPropagation();
    if (isDigit) setSheet({ typed: event.key });
    else if (!event.repeat) exact.focus();
  });
  useEffect(() => readKeys({ scanned() {}, pressed }), [pressed]);
  if (cash === undefined) return null;
  // Rows for the notes of the whole check, so that the layout stays while parts are paid.
  const proposals = cashProposals({ amount: toCents(total), tip: 0 }, currency).length + 2;
  return (
    <fieldset ref={notes} className="pay-grid" aria-label={t("notes")} data-rows={Math.ceil(proposals / 3)}>
      <ActButton kind="money" onAct={() => choose(cash)}>
        {t("exact")}
      </ActButton>
      {cashProposals(asking.charge, currency).map((cents) => (
        <ActButton key={cents} onAct={() => takeAmount(cash, cents, asking.charge)}>
          {format.moneyShort(fromCents(cents))}
        </ActButton>
      ))}
      <ActButton onAct={() => setSheet({ typed: "" })}>{t("typeAmount")}</ActButton>
    </fieldset>
  );
}
