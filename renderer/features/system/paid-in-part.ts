import { useTranslation } from "@comanda/ui/translation.ts";

/** What guests have paid of a check that is not paid altogether, in words; null where there is nothing to say. */
export function usePaidInPart(): (check: { total: number | null; paid: number | null }) => string | null {
  const { t, format } = useTranslation("system");
  return ({ total, paid }) =>
    paid !== null && paid > 0 && paid < (total ?? 0) ? t("losses.paidInPart", { amount: format.money(paid) }) : null;
}
