import type { UnassignedPayment } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { sumUnassigned } from "./sum-unassigned.ts";

/** Returns functions that format an amount in its currency, or in pesos if it has none. */
export function useCashFormat() {
  const { t, format } = useTranslation("tills");
  const cash = ({ amount, currency }: { amount: number; currency?: string | undefined }): string =>
    currency === undefined ? format.money(amount) : `${currency} ${format.number(amount)}`;
  return {
    cash,
    /** Describes a payment: the amount, its tip, and the foreign cash in the drawer for it. */
    paymentText(payment: UnassignedPayment): string {
      const { currency, foreignAmount, tip } = payment;
      const parts = [
        foreignAmount !== undefined && cash({ amount: foreignAmount, currency }),
        tip !== 0 && t("tipOfIt", { amount: format.money(tip) }),
      ].filter((part) => part !== false);
      const pesos = format.money(sumUnassigned([payment]));
      return parts.length === 0 ? pesos : `${pesos} (${parts.join(" · ")})`;
    },
  };
}
