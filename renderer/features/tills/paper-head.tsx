import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "../../lib/hub-time.ts";
import { useHub } from "../../lib/hub.ts";

/** The head of a printed report, in place of the screen's: the restaurant, the title, and when it was printed. */
export function PaperHead({ title }: { title: string }) {
  const { t, format } = useTranslation("tills");
  const now = useNow();
  const restaurant = useHub("overview").data?.hub.name ?? "";
  return (
    <header className="paper-head">
      <strong>{restaurant}</strong>
      <span>{title}</span>
      <span>{t("printedAt", { when: format.fullDateTime(now) })}</span>
    </header>
  );
}
