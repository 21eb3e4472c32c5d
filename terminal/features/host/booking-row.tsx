import { isByPhone } from "@comanda/protocol";
import { wholeNumber } from "@comanda/ui/format.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { IconDots } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Link } from "wouter";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { isExpected, type BookingState, type HostBooking } from "./host-day.ts";
import { useSettleBooking } from "./use-settle-booking.ts";

const tones = {
  late: "bad",
  due: "warn",
  upcoming: "accent",
  later: "idle",
  seated: "good",
  cancelled: "idle",
  noShow: "idle",
} as const satisfies Record<BookingState, string>;

/** A booking: time, name, party and table, the button to seat the guests, and acts for a no-show. */
export function BookingRow({
  booking,
  onSeat,
  onMore,
  onChange,
}: {
  booking: HostBooking;
  onSeat: () => void;
  onMore: () => void;
  /** Called for a booking that was entered here. */
  onChange: () => void;
}) {
  const { t, format } = useTranslation(["host", "order"]);
  const terminal = useTerminal();
  const names = useTableNames();
  const settle = useSettleBooking();
  const { reservation, state, check } = booking;
  const { at, guestName, partySize, phone, notes, tableId } = reservation;
  const isAwaited = state === "late" || state === "due";
  const wait = useTextAt(() => (isAwaited ? format.ago(at, terminal.now()) : ""));
  const table = names.get(check?.tableId ?? tableId);
  return (
    <li className="booking" data-tone={tones[state]}>
      <div className="booking-when">
        <strong>{format.time(at)}</strong>
        <span className="booking-state">{t(`state.${state}`)}</span>
      </div>
      <div className="booking-who">
        {isByPhone(reservation) && isExpected(booking) ? (
          <button type="button" aria-label={t("changeNamed", { name: guestName })} onClick={onChange}>
            {guestName}
          </button>
        ) : (
          <strong>{guestName}</strong>
        )}
        <span>
          {joinWithDots(
            partySize !== undefined && t("order:guests", { count: partySize }),
            table,
            wait,
            phone && wholeNumber(phone),
            isByPhone(reservation) && t("byPhone"),
          )}
        </span>
        {notes !== undefined && notes !== "" && <span className="booking-notes">«{notes}»</span>}
      </div>
      <div className="booking-acts-row">
        {state === "late" && (
          <ActButton aria-label={t("noShowNamed", { name: guestName })} onAct={() => void settle(booking, "no_show")}>
            {t("act.no_show")}
          </ActButton>
        )}
        {isExpected(booking) && (
          <>
            <ActButton aria-label={t("moreNamed", { name: guestName })} onAct={onMore}>
              <IconDots aria-hidden />
            </ActButton>
            <ActButton kind="main" aria-label={t("seatNamed", { name: guestName })} onAct={onSeat}>
              {t("seat")}
            </ActButton>
          </>
        )}
        {(state === "noShow" || state === "cancelled") && (
          <ActButton aria-label={t("expectNamed", { name: guestName })} onAct={() => void settle(booking, "booked")}>
            {t("act.booked")}
          </ActButton>
        )}
        {check !== null && (
          <Link className="act" href={`/check/${encodeURIComponent(check.posReference)}`}>
            {t("openCheck")}
          </Link>
        )}
      </div>
    </li>
  );
}
