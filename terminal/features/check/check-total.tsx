import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";

/** What a check comes to: discounts and charges, the total, and the way to split it. */
export function CheckTotal({ order, onSplit }: { order: LocalOrder | undefined; onSplit: () => void }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const { adjustments = [], lines = [], totals } = order?.snapshot ?? {};
  return (
    <>
      {adjustments.map((adjustment, index) => (
        <div key={index} className="check-adjustment">
          <span>
            {t(`adjustment.${adjustment.kind}`)}
            {adjustment.reason !== undefined && <span className="line-note">{adjustment.reason}</span>}
          </span>
          <span className="money">{format.money(adjustment.amount)}</span>
        </div>
      ))}
      <div className="check-total">
        {lines.length > 0 && (
          <ActButton size="small" onAct={onSplit}>
            {t("split")}
          </ActButton>
        )}
        <span>{t("total")}</span>
        <strong className="money">{format.money(totals?.total ?? 0)}</strong>
      </div>
    </>
  );
}
