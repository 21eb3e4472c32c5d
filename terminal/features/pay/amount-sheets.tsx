import { fromCents } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { AmountSheet } from "./amount-sheet.tsx";
import type { Payment } from "./use-payment.ts";

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
