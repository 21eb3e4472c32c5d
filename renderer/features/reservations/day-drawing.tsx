import { HOUR_MS, reservationPhase } from "@comanda/protocol";
import type { CSSProperties } from "react";
import { useTableName } from "../../components/labels.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { SITTING_MS, hourMarks, type Booked, type DayPlan } from "./day-plan.ts";
import { phaseTone } from "./booking-table.tsx";
import "./day-drawing.css";

/** The day as lines of time, one per table. Hidden from screen readers: the table below has the same as text. */
export function DayDrawing({ plan }: { plan: DayPlan }) {
  const tableName = useTableName();
  const format = useFormat();
  const now = useNow();
  const share = (time: number) => `${((time - plan.start) / (plan.end - plan.start)) * 100}%`;
  return (
    <div className="day" aria-hidden style={{ "--hours": (plan.end - plan.start) / HOUR_MS } as CSSProperties}>
      <div className="day-row">
        <div className="day-hours">
          {hourMarks(plan).map((hour) => (
            <span key={hour} className="num" style={{ left: share(hour) }}>
              {format.hour(new Date(hour).toISOString())}
            </span>
          ))}
        </div>
      </div>
      {plan.rows.map(({ tableId, bookings }) => (
        <div key={tableId} className="day-row">
          <span className="day-table">{tableName(tableId)}</span>
          <div className="day-line">
            {hourMarks(plan).map((hour) => (
              <i key={hour} className="day-mark" style={{ left: share(hour) }} />
            ))}
            {bookings.map((booked) => (
              <Bar key={booked.key} booked={booked} now={now} share={share} />
            ))}
            {now > plan.start && now < plan.end && <i className="day-now" style={{ left: share(now) }} />}
          </div>
        </div>
      ))}
    </div>
  );
}

function Bar({ booked, now, share }: { booked: Booked; now: number; share: (time: number) => string }) {
  const format = useFormat();
  const { booking, at, from } = booked;
  const end = at + SITTING_MS;
  const lead = ((at - from) / (end - from)) * 100;
  return (
    <span
      className="day-bar"
      data-tone={phaseTone[reservationPhase(booking, now)]}
      style={{ left: share(from), width: `calc(${share(end)} - ${share(from)})` }}
    >
      <i className="day-lead" style={{ width: `${lead}%` }} />
      <span className="day-name">
        {format.time(booking.at)} {booking.guestName}
        {booking.partySize !== undefined && ` (${booking.partySize})`}
      </span>
    </span>
  );
}
