import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import type { CheckParts } from "./use-check-parts.tsx";

/** On a phone, below the tiles: what the check comes to, which opens it, and what comes next: to send, or to pay. */
export function OrderFoot({
  parts: { shown, ofPaid, strips, send, pay },
  hasUnsent,
  onCheck,
}: {
  parts: CheckParts;
  hasUnsent: boolean;
  /** Null: there is no check yet. */
  onCheck: (() => void) | null;
}) {
  const { t } = useTranslation("order");
  const format = useFormat();
  return (
    <div className="rows order-foot">
      {ofPaid}
      {strips}
      <div className="order-bar">
        <ActButton className="order-total" onAct={() => onCheck?.()} disabled={onCheck === null}>
          <span>
            <span className="money">{format.money(shown?.snapshot.totals.total ?? 0)}</span>
            <span className="act-more">{t("lines", { count: shown?.snapshot.lines.length ?? 0 })}</span>
          </span>
        </ActButton>
        {hasUnsent ? send : pay}
      </div>
    </div>
  );
}
