import { fromCents, taxesByName } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ActButton } from "../../components/act-button.tsx";
import { useMenu } from "../../lib/use-menu.ts";

/** What a check comes to: without taxes, each tax, discounts and charges, the total, and the way to split it. */
export function CheckTotal({ order, onSplit }: { order: LocalOrder | undefined; onSplit: () => void }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const menu = useMenu()?.menu;
  const snapshot = order?.snapshot;
  const taxes = useMemo(
    () => (snapshot === undefined || menu === undefined ? [] : taxesByName(snapshot, menu, t("otherTaxes"))),
    [snapshot, menu, t],
  );
  const { adjustments = [], lines = [], totals } = order?.snapshot ?? {};
  return (
    <>
      {taxes.length > 0 && totals !== undefined && (
        <dl className="check-sums">
          <div>
            <dt>{t("subtotal")}</dt>
            <dd className="money">{format.money(totals.subtotal)}</dd>
          </div>
          {taxes.map(({ name, cents }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="money">{format.money(fromCents(cents))}</dd>
            </div>
          ))}
        </dl>
      )}
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
