import type { BookingStatus } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import { undoAct } from "../../lib/page/undo-act.ts";
import type { HostBooking } from "./host-day.ts";

/** Returns a function that settles a booking for every device, with undo. */
export function useSettleBooking(): (booking: HostBooking, status: BookingStatus) => Promise<void> {
  const { t } = useTranslation("host");
  const terminal = useTerminal();
  return async ({ key, version, reservation: { guestName: name, status: former } }, status) => {
    try {
      const next = await terminal.setBookingStatus(key, status, version);
      const takeBack = () => void terminal.setBookingStatus(key, former, next).catch(showRefusal);
      showNotice({ text: t(`settledAs.${status}`, { name }), act: undoAct(takeBack) });
    } catch (error) {
      showRefusal(error);
    }
  };
}
