import { DAY_MS } from "@comanda/protocol";
import { Choices } from "@comanda/ui/choices.tsx";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { dayOf } from "@comanda/ui/zoned-time.ts";

/** Chooses the time of a booking: usually today or tomorrow. `now` and `earliest` are ms since 1970. */
export function BookingDays({
  day,
  time,
  now,
  earliest,
  onChange,
}: {
  day: string;
  time: string;
  now: number;
  earliest: number;
  onChange: (part: { day: string } | { time: string }) => void;
}) {
  const { t } = useTranslation("host");
  const { timeZone } = useFormat();
  const days = [dayOf(now, timeZone), dayOf(now + DAY_MS, timeZone)];
  return (
    <Choices
      legend={t("when")}
      className="booking-days"
      of={days}
      chosen={day}
      text={(each) => t(each === days[0] ? "today" : "tomorrow")}
      onChoose={(each) => onChange({ day: each })}
    >
      <input
        type="date"
        aria-label={t("day")}
        value={day}
        min={dayOf(earliest, timeZone)}
        required
        onChange={(event) => onChange({ day: event.currentTarget.value })}
      />
      <input
        type="time"
        aria-label={t("time")}
        value={time}
        step={300}
        required
        onChange={(event) => onChange({ time: event.currentTarget.value })}
      />
    </Choices>
  );
}
