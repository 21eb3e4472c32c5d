import type { TicketLine } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";

/** What the guest of a dish must not eat. */
export function Allergy({ line: { allergy } }: { line: TicketLine }) {
  const { t } = useTranslation("kitchen");
  return allergy != null && allergy !== "" && <span className="kline-allergy">{t("allergy", { what: allergy })}</span>;
}
