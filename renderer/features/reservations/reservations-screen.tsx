import type { ReservationDay } from "@comanda/protocol";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { DayTools } from "../../components/day-tools.tsx";
import { Empty } from "../../components/layout/empty.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { Panel } from "../../components/layout/panel.tsx";
import { Screen } from "../../components/layout/screen.tsx";
import { hubQuery, useHub } from "../../lib/hub.ts";
import { useTextAt } from "../../lib/hub-time.ts";
import { dayOf, zonedTime } from "@comanda/ui/zoned-time.ts";
import { BookingTable, ProblemTable } from "./booking-table.tsx";
import { DayDrawing } from "./day-drawing.tsx";
import { bookingsOf, dayPlan } from "./day-plan.ts";

/** The day's bookings as terminals show them, and those that terminals drop. */
export default function ReservationsScreen() {
  const { t } = useTranslation("reservations");
  const [date, setDate] = useState<string | null>(null);
  const timeZone = useHub("overview").data?.hub.timeZone;
  // The screen may stay open past midnight.
  const today = useTextAt((now) => dayOf(now, timeZone));
  const shown = date ?? today;
  const day = useQuery({
    ...hubQuery("reservations", { query: { date: shown } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Screen
      title={t("title")}
      about={t("about")}
      actions={<DayTools day={shown} nowLabel={t("today")} onChoose={setDate} />}
    >
      <Loaded query={day} height={260}>
        {(data) => <Day day={data} />}
      </Loaded>
    </Screen>
  );
}

function Day({ day }: { day: ReservationDay }) {
  const { t, format } = useTranslation("reservations");
  if (!day.enabled) return <Empty title={t("offTitle")}>{t("off")}</Empty>;
  const noon = zonedTime(`${day.date}T12:00`, day.timeZone);
  const bookings = bookingsOf(day.reservations);
  const plan = dayPlan(bookings);
  const invalid = day.reservations.filter((reservation) => reservation.booking === null);
  return (
    <>
      <ProblemTable invalid={invalid} />
      {bookings.length === 0 ? (
        <div className="card panel">
          <Empty title={t("emptyTitle")}>{t("empty")}</Empty>
        </div>
      ) : (
        <>
          {plan !== null && (
            <Panel title={t("plan")} about={format.day(noon)} flush>
              <DayDrawing plan={plan} />
            </Panel>
          )}
          <BookingTable bookings={bookings} />
        </>
      )}
    </>
  );
}
