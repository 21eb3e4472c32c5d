import { isByPhone } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import type { HostBooking } from "./host-day.ts";
import { useSettleBooking } from "./use-settle-booking.ts";

/** What else can be said of a booking that is still expected. */
export function BookingSheet({
  booking,
  onChange,
  onClose,
}: {
  booking: HostBooking;
  onChange: () => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("host");
  const settle = useSettleBooking();
  return (
    <Sheet title={booking.reservation.guestName} onClose={onClose}>
      <div className="booking-acts">
        {isByPhone(booking.reservation) && <ActButton onAct={onChange}>{t("changeBooking")}</ActButton>}
        {(["no_show", "cancelled"] as const).map((status) => (
          <ActButton
            key={status}
            onAct={() => {
              onClose();
              void settle(booking, status);
            }}
          >
            <span>
              {t(`act.${status}`)}
              <span className="act-more">{t(`actMeans.${status}`)}</span>
            </span>
          </ActButton>
        ))}
      </div>
    </Sheet>
  );
}
