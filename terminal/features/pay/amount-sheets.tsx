import { fromCents, foreignProposals, foreignValue } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { AmountSheet } from "./amount-sheet.tsx";
import type { Payment } from "./use-payment.ts";
import type { ForeignCurrency } from "@comanda/protocol";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";

/** Asks for the amount paid and the payment method. */
export function TypedAmountSheet({
  payment: { methods, asking, takeAmount, setSheet },
  typed,
}: {
  payment: Payment;
  typed: string;
}) {
  const { t } = useTranslation("pay");
  return (
    <AmountSheet
      title={t("typeAmount")}
      first={typed}
      onClose={() => setSheet(null)}
      acts={(cents) =>
        methods.map((method) => (
          <ActButton
            key={method.id}
            kind="main"
            disabled={cents === 0}
            onAct={() => takeAmount(method, cents, asking.charge)}
          >
            {method.name}
          </ActButton>
        ))
      }
    />
  );
}

/** Asks for the part of the check that a guest pays, and shows the rest. */
export function PartSheet({ payment: { asking, change, setSheet } }: { payment: Payment }) {
  const { t, format } = useTranslation("pay");
  const { due, before } = asking;
  return (
    <AmountSheet
      title={t("partTitle", { due: format.money(fromCents(due)) })}
      onClose={() => setSheet(null)}
      acts={(cents) => (
        <ActButton
          kind="main"
          disabled={cents === 0 || cents >= due}
          onAct={() => {
            change({ parts: { division: { first: cents }, before } });
            setSheet(null);
          }}
        >
          {t("partRest", { rest: format.money(fromCents(Math.max(0, due - cents))) })}
        </ActButton>
      )}
    />
  );
}

/** Asks for a tip as an amount. */
export function TipSheet({ payment: { asking, change, setSheet } }: { payment: Payment }) {
  const { t } = useTranslation(["pay", "check"]);
  return (
    <AmountSheet
      title={t("check:adjustment.tip")}
      onClose={() => setSheet(null)}
      acts={(cents) => (
        <ActButton
          kind="main"
          onAct={() => {
            change({ tip: cents === 0 ? null : { cents, before: asking.before } });
            setSheet(null);
          }}
        >
          {t("check:ok")}
        </ActButton>
      )}
    />
  );
}

/** Asks for the foreign cash handed over: usual notes, or a typed amount. */
export function ForeignSheet({ payment, kind }: { payment: Payment; kind: ForeignCurrency }) {
  const { t, format } = useTranslation("pay");
  const money = useForeignMoney()(kind.code);
  const { asking, takeForeign, setSheet } = payment;
  const { amount, tip } = asking.charge;
  return (
    <AmountSheet
      title={t("foreignTitle", { sign: money.sign, due: format.money(fromCents(amount + tip)), rate: kind.rate })}
      moneyOf={money.format}
      onClose={() => setSheet(null)}
      acts={(cents) =>
        cents === 0 ? (
          foreignProposals(asking.charge, kind).map((each) => (
            <ActButton key={each} kind="money" onAct={() => takeForeign(kind, each)}>
              {money.format(fromCents(each))}
            </ActButton>
          ))
        ) : (
          <ActButton kind="main" onAct={() => takeForeign(kind, cents)}>
            {t("takeForeign", { value: format.money(foreignValue({ ...kind, amount: fromCents(cents) }, kind)) })}
          </ActButton>
        )
      }
    />
  );
}
