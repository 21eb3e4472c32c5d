import type { BookingStatus } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { failureText } from "../../lib/page/show-refusal.ts";
import { undoAct } from "../../lib/page/undo-act.ts";
import type { HostBooking } from "./host-day.ts";

/** What has become of a booking, at once for every device; it is taken back with one tap. */
export function useSettleBooking(): (booking: HostBooking, status: BookingStatus) => Promise<void> {
  const { t } = useTranslation("host");
  const terminal = useTerminal();
  const set = (key: string, status: BookingStatus, version?: number): Promise<number | null> =>
    terminal.setBookingStatus(key, status, version).catch((error: unknown) => {
      showNotice({ text: failureText(error) });
      return null;
    });
  return async ({ key, reservation: { guestName: name, status: former } }, status) => {
    const version = await set(key, status);
    if (version === null) return;
    // What another device has made of it since stays.
    showNotice({ text: t(`settledAs.${status}`, { name }), act: undoAct(() => void set(key, former, version)) });
  };
}
