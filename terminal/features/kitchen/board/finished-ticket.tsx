import type { KitchenTicket } from "@comanda/protocol";
import { IconArrowBackUp, IconCheck } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";

/** Shown for a moment in the place of a finished ticket. */
export function FinishedTicket({ ticket, onTakeBack }: { ticket: KitchenTicket; onTakeBack: () => void }) {
  const { t } = useTranslation(["kitchenMore", "kitchen"]);
  if (ticket.lines.every(({ state }) => state === "cancelled")) {
    return <p className="ticket-gone">{t("kitchen:cancelled")}</p>;
  }
  return (
    <div className="tight ticket-gone">
      <p>
        <IconCheck aria-hidden /> {t("done")}
      </p>
      <ActButton className="kzone" onAct={onTakeBack}>
        <IconArrowBackUp aria-hidden />
        {t("bringBack")}
      </ActButton>
    </div>
  );
}
