import { hasChargedLines, openTenders } from "@comanda/rules";
import { amountDue, type LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { endOf } from "../../checks/nothing-left.ts";

/** The button from a check to its payment. */
export function PayButton({ order }: { order: LocalOrder | undefined }) {
  const { t, format } = useTranslation("pay");
  const [, go] = useLocation();
  const isPayable = order !== undefined && endOf(order.snapshot) === "pay";
  const isStarted = isPayable && openTenders(order.snapshot).length > 0;
  const hasOnlyPayments = isPayable && !hasChargedLines(order.snapshot);
  return (
    <ActButton
      kind="money"
      disabled={!isPayable}
      onAct={() => order !== undefined && go(`/pay/${encodeURIComponent(order.posReference)}`)}
    >
      <span>
        {t(hasOnlyPayments ? "payments" : "pay")}
        {isStarted && !hasOnlyPayments && (
          <span className="act-more"> {t("left", { amount: format.money(amountDue(order.snapshot)) })}</span>
        )}
      </span>
    </ActButton>
  );
}
