import type { ForeignCurrency } from "@comanda/protocol";
import { foreignProposals, foreignValue, fromCents } from "@comanda/rules";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useForeignMoney } from "../../lib/labels/foreign-money.ts";
import { AmountSheet } from "./amount-sheet.tsx";
import type { Payment } from "./use-payment.ts";

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
