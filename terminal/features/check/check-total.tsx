import { fromCents, taxesByName } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useMemo } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useMenu } from "../../lib/use-menu.ts";

/** What a check comes to: without taxes, each tax, discounts and charges, and the total. */
export function CheckTotal({ order }: { order: LocalOrder | undefined }) {
  const { t } = useTranslation("check");
  const format = useFormat();
  const menu = useMenu()?.menu;
  const snapshot = order?.snapshot;
  const taxes = useMemo(
    () => (snapshot === undefined || menu === undefined ? [] : taxesByName(snapshot, menu, t("otherTaxes"))),
    [snapshot, menu, t],
  );
  const { adjustments = [], totals } = snapshot ?? {};
  const sums = [
    ...(totals === undefined || taxes.length === 0 ? [] : [{ name: t("subtotal"), amount: totals.subtotal }]),
    ...taxes.map(({ name, cents }) => ({ name, amount: fromCents(cents) })),
    ...adjustments.map(({ kind, reason, amount }) => ({
      name: [t(`adjustment.${kind}`), reason].filter(Boolean).join(" · "),
      amount,
    })),
  ];
  return (
    <dl className="check-sums">
      {sums.map(({ name, amount }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd className="money">{format.money(amount)}</dd>
        </div>
      ))}
      <div className="check-total">
        <dt>{t("total")}</dt>
        <dd className="money">{format.money(totals?.total ?? 0)}</dd>
      </div>
    </dl>
  );
}
