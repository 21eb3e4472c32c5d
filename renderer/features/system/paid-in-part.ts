import { useTranslation } from "@comanda/ui/translation.ts";

/** Returns a function that says what guests have paid of a partly paid check, or null for any other check. */
export function usePaidInPart(): (check: { total: number | null; paid: number | null }) => string | null {
  const { t, format } = useTranslation("system");
  return ({ total, paid }) =>
    paid !== null && paid > 0 && paid < (total ?? 0) ? t("losses.paidInPart", { amount: format.money(paid) }) : null;
}
