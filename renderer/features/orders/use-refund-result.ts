import type { Refund } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { notify } from "../../components/forms/use-act.ts";

/** Returns a function that notifies of a refund's result: the number of its note, or that the result is unknown. */
export function useRefundResult(): (refund: Refund) => void {
  const { t, format } = useTranslation("orders");
  return ({ refundId: about, state, ncf, amount }) => {
    const money = format.money(amount);
    if (state === "pending") notify(t("refundInDoubt", { amount: money }), { bad: true, about });
    else notify(t("refundMade", { ncf: ncf ?? t("numberInAccounting"), amount: money }), { isPersistent: true, about });
  };
}
