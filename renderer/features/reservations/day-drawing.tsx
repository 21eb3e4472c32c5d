import { HOUR_MS, reservationPhase } from "@comanda/protocol";
import { useLayoutEffect, useRef, type CSSProperties } from "react";
import { useTableName } from "../../components/labels.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useNow } from "../../lib/hub-time.ts";
import { endOf, hourMarks, type Booked, type DayPlan } from "./day-plan.ts";
import { phaseTone } from "./booking-table.tsx";
import "./day-drawing.css";

/** The day as time lines, one per table. Hidden from screen readers, which get the same as text in the table below. */
export function DayDrawing({ plan }: { plan: DayPlan }) {
  const tableName = useTableName();
  const format = useFormat();
  const now = useNow();
  const day = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => showNow(day.current), [plan.start]);
  const share = (time: number) => `${((time - plan.start) / (plan.end - plan.start)) * 100}%`;
  return (
    <div
      ref={day}
      className="day"
      aria-hidden
      style={{ "--hours": (plan.end - plan.start) / HOUR_MS } as CSSProperties}
    >
      <div className="day-row">
        <div className="soft day-hours">
          {hourMarks(plan).map((hour) => (
            <span key={hour} className="num" style={{ left: share(hour) }}>
              {format.hour(hour)}
            </span>
          ))}
        </div>
      </div>
      {plan.rows.map(({ tableId, lanes }) => (
        <div key={tableId} className="day-row">
          <span className="row day-table">{tableName(tableId)}</span>
          <div className="day-line">
            {hourMarks(plan).map((hour) => (
              <i key={hour} className="day-mark" style={{ left: share(hour) }} />
            ))}
            {lanes.map((lane, index) => (
              <div key={index} className="day-lane">
                {lane.map((booked) => (
                  <Bar key={booked.key} booked={booked} now={now} share={share} />
                ))}
              </div>
            ))}
            {now > plan.start && now < plan.end && <i className="day-now" style={{ left: share(now) }} />}
          </div>
        </div>
      ))}
    </div>
  );
}

/** Scrolls the current time to the middle, if the day is wider than its container. */
function showNow(day: HTMLDivElement | null): void {
  const now = day?.querySelector(".day-now");
  if (day == null || now == null) return;
  day.scrollLeft += now.getBoundingClientRect().left - day.getBoundingClientRect().left - day.clientWidth / 2;
}

/** The lead time, in which the table is shown as booked, and the sitting. An earlier sitting covers the next lead time. */
function Bar({ booked, now, share }: { booked: Booked; now: number; share: (time: number) => string }) {
  const format = useFormat();
  const { booking, at, from } = booked;
  const part = (start: number, end: number) => ({ left: share(start), width: `calc(${share(end)} - ${share(start)})` });
  const tone = phaseTone[reservationPhase(booking, now)];
  return (
    <>
      <i className="day-lead" data-tone={tone} style={part(from, at)} />
      <span className="day-bar" data-tone={tone} style={part(at, endOf(booked))}>
        {format.time(booking.at)} {booking.guestName}
        {booking.partySize !== undefined && ` (${booking.partySize})`}
      </span>
    </>
  );
}
