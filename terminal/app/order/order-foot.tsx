import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import type { CSSProperties } from "react";
import type { CheckParts } from "./use-check-parts.tsx";

/** On a phone, below the tiles: the total, which opens the check, and the next act: Send, or the payment. */
export function OrderFoot({
  parts: { shown, ofPaid: paidParts, strips, send, pay },
  hasUnsent,
  isOneOfSeveral,
  onCheck,
}: {
  parts: CheckParts;
  hasUnsent: boolean;
  /** Shows the name of the check if the table has several. */
  isOneOfSeveral: boolean;
  /** Null if there is no check yet. */
  onCheck: (() => void) | null;
}) {
  const { t, format } = useTranslation("order");
  const { customerName, checkNumber, lines } = shown?.snapshot ?? {};
  // At the counter the guest pays before the kitchen begins, and the payment sends.
  const isPaidFirst = shown?.tableId === null;
  const total = format.money(shown?.snapshot.totals.total ?? 0);
  const name = customerName || (checkNumber == null ? null : t("checkNumber", { number: checkNumber }));
  return (
    <div className="rows order-foot">
      {paidParts}
      {strips}
      <div className="order-bar">
        <ActButton className="order-total" onAct={() => onCheck?.()} disabled={onCheck === null}>
          <span>
            <span className="money" style={{ "--signs": total.length } as CSSProperties}>
              {total}
            </span>
            <span className="act-more">
              {joinWithDots(isOneOfSeveral && name, t("lines", { count: lines?.length ?? 0 }))}
            </span>
          </span>
        </ActButton>
        {isPaidFirst && hasUnsent && pay}
        {hasUnsent ? send : pay}
      </div>
    </div>
  );
}
