import type { LocalOrder } from "@comanda/terminal";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";

/** The checks of one table, where it has several. */
export function CheckSiblings({
  checks,
  shown,
  onChoose,
}: {
  checks: readonly LocalOrder[];
  shown: string | undefined;
  onChoose: ((posReference: string) => void) | undefined;
}) {
  const { t } = useTranslation("check");
  const format = useFormat();
  if (checks.length <= 1) return null;
  return (
    <div className="check-siblings" role="tablist" aria-label={t("checks")}>
      {checks.map(({ posReference, snapshot }) => (
        <button
          key={posReference}
          type="button"
          role="tab"
          className="act"
          data-size="small"
          aria-selected={posReference === shown}
          onClick={() => onChoose?.(posReference)}
        >
          {snapshot.customerName ?? snapshot.checkNumber ?? "·"} · {format.money(snapshot.totals.total)}
        </button>
      ))}
    </div>
  );
}
