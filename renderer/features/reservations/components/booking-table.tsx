import { reservationPhase } from "@comanda/protocol";
import { useTranslation } from "react-i18next";
import { StatusMark } from "../../../components/status-mark.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import type { Booked } from "../day-plan.ts";
import { phaseTone } from "../phase-tone.ts";

/** Every booking of the day in words, by time. */
export function BookingTable({ bookings, tables }: { bookings: readonly Booked[]; tables: Record<string, string> }) {
  const { t } = useTranslation("reservations");
  const format = useFormat();
  const now = useNow();
  return (
    <div className="table-scroll">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t("time")}</th>
            <th scope="col">{t("guest")}</th>
            <th scope="col" className="right">
              {t("party")}
            </th>
            <th scope="col">{t("table")}</th>
            <th scope="col">{t("state")}</th>
            <th scope="col">{t("contact")}</th>
          </tr>
        </thead>
        <tbody>
          {bookings.map(({ key, booking, problem }) => {
            const phase = reservationPhase(booking, now);
            return (
              <tr key={key}>
                <td className="num">
                  <strong>{format.time(booking.at)}</strong>
                </td>
                <td>{booking.guestName}</td>
                <td className="right num">{booking.partySize ?? "–"}</td>
                <td>{tables[booking.tableId] ?? booking.tableId}</td>
                <td>
                  <StatusMark tone={phaseTone[phase]}>
                    {booking.status === "booked" ? t(`phase.${phase}`) : t(`status.${booking.status}`)}
                  </StatusMark>
                  {problem !== null && <div className="soft">{problem}</div>}
                </td>
                <td className="soft">{[booking.phone, booking.notes].filter(Boolean).join(" · ") || "–"}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
