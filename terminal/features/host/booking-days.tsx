import { DAY_MS } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { dayOf } from "@comanda/ui/zoned-time.ts";

/** When a booking is: mostly today or tomorrow. `now` and `earliest` are ms since 1970. */
export function BookingDays({
  day,
  time,
  now,
  earliest,
  onDay,
  onTime,
}: {
  day: string;
  time: string;
  now: number;
  earliest: number;
  onDay: (day: string) => void;
  onTime: (time: string) => void;
}) {
  const { t } = useTranslation("host");
  const days = [
    { day: dayOf(now), name: t("today") },
    { day: dayOf(now + DAY_MS), name: t("tomorrow") },
  ];
  return (
    <fieldset className="booking-days">
      <legend>{t("when")}</legend>
      {days.map((each) => (
        <ActButton key={each.day} aria-pressed={each.day === day} onAct={() => onDay(each.day)}>
          {each.name}
        </ActButton>
      ))}
      <input
        type="date"
        aria-label={t("day")}
        value={day}
        min={dayOf(earliest)}
        required
        onChange={(event) => onDay(event.currentTarget.value)}
      />
      <input
        type="time"
        aria-label={t("time")}
        value={time}
        step={300}
        required
        onChange={(event) => onTime(event.currentTarget.value)}
      />
    </fieldset>
  );
}
