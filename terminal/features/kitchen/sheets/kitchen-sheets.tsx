import { useTranslation } from "@comanda/ui/translation.ts";
import type { ComponentProps } from "react";
import { Sheet } from "../../../components/sheet.tsx";
import { AllDayList } from "./all-day-list.tsx";
import "./kitchen-sheets.css";

export { AllDayList };
export { RingTickets } from "../device/ring-tickets.ts";
export { ShiftBar } from "../device/shift-bar.tsx";
export { StaleBar } from "../device/stale-bar.tsx";
export { BumpBarKeys } from "../board/bump-bar-keys.ts";
export { FinishedTicket } from "../board/finished-ticket.tsx";
export { LineSheet } from "./line-sheet.tsx";
export { OptionsSheet } from "./options-sheet.tsx";
export { RecallSheet } from "./recall-sheet.tsx";

/** The sums in a sheet, where they do not fit beside the tickets. */
export function AllDaySheet({ onClose, ...list }: ComponentProps<typeof AllDayList> & { onClose: () => void }) {
  const { t } = useTranslation("kitchen");
  return (
    <Sheet title={t("allDay")} onClose={onClose}>
      <AllDayList {...list} />
    </Sheet>
  );
}
