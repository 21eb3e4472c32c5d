import { reservationPhase } from "@comanda/protocol";
import { useTableWords } from "../../../components/use-table-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import { SITTING_MS, hourMarks, type Booked, type DayPlan } from "../day-plan.ts";
import { phaseTone } from "../phase-tone.ts";
import "./day-drawing.css";

/** The day as lines of time, one a table. What it shows is in the list below in words as well. */
export function DayDrawing({ plan, tables }: { plan: DayPlan; tables: Record<string, string> }) {
  const tableWords = useTableWords();
  const format = useFormat();
  const now = useNow();
  const share = (time: number) => `${((time - plan.start) / (plan.end - plan.start)) * 100}%`;
  return (
    <div className="day" aria-hidden>
      <div className="day-hours">
        {hourMarks(plan).map((hour) => (
          <span key={hour} className="num" style={{ left: share(hour) }}>
            {format.hour(new Date(hour).toISOString())}
          </span>
        ))}
      </div>
      {plan.rows.map(({ tableId, bookings }) => (
        <div key={tableId} className="day-row">
          <span className="day-table">{tableWords(tables[tableId] ?? tableId)}</span>
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
