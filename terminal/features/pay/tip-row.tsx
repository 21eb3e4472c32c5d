import { fromCents, tipShares } from "@comanda/rules";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { Payment } from "./use-payment.ts";

/** The tip of the next payment. */
export function TipRow({ payment: { draft, change, asking, setSheet } }: { payment: Payment }) {
  const { t } = useTranslation("pay");
  const format = useFormat();
  const { tip } = draft;
  return (
    <>
      <fieldset className="pay-row" aria-label={t("tip")}>
        <span>{t("tip")}</span>
        <ActButton size="small" aria-pressed={tip === null} onAct={() => change({ tip: null })}>
          0
        </ActButton>
        {tipShares.map((percent) => (
          <ActButton
            key={percent}
            size="small"
            aria-pressed={tip !== null && "percent" in tip && tip.percent === percent}
            onAct={() => change({ tip: { percent, ...asking.soFar } })}
          >
            {percent} %
          </ActButton>
        ))}
        <ActButton size="small" aria-pressed={tip !== null && "cents" in tip} onAct={() => setSheet("tip")}>
          {t("other")}
        </ActButton>
      </fieldset>
      <p className="pay-tip-note soft">{t("tipOn", { amount: format.money(fromCents(asking.asked.amount)) })}</p>
    </>
  );
}
