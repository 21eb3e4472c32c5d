import type { HqRestaurant } from "@comanda/protocol/headquarters.ts";
import { TimeLine, within } from "../../components/time-line.tsx";
import { useTimeZone } from "../../lib/cache.ts";
import { dayAndMonth } from "../../components/day-and-month.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { dayOf } from "@comanda/ui/zoned-time.ts";
import { daysBack } from "./days-back.ts";

const DAYS = 14;

/** A line for each of the last days since the restaurant was added, with its outages. */
export function OutageDays({ outages, addedAt }: Pick<HqRestaurant, "addedAt" | "outages">) {
  const { t, format } = useTranslation("restaurant");
  const now = useNow();
  const timeZone = useTimeZone();
  const first = dayOf(Date.parse(addedAt), timeZone);
  return (
    <ol className="outage-days">
      {daysBack(now, DAYS, timeZone)
        .filter(({ day }, daysAgo) => day >= first || daysAgo === 0)
        .map(({ day, begins, ends }) => {
          const parts = outages.flatMap(({ from, until }) => {
            const end = until === null ? now : Date.parse(until);
            return within(begins, ends, { start: Date.parse(from), end, tone: "bad" });
          });
          const ahead = within(begins, ends, { start: now, end: Infinity, tone: "ahead" });
          const ms = parts.reduce((sum, { start, end }) => sum + end - start, 0);
          const text =
            parts.length === 0 ? t("noOutage") : t("outageSum", { count: parts.length, age: format.age(ms) });
          return (
            <li key={day}>
              <span>{dayAndMonth(format.date(day))}</span>
              <TimeLine from={begins} to={ends} parts={[...parts, ...ahead]} description={text} />
              <span className={parts.length === 0 ? "visually-hidden" : "soft outage-said"}>{text}</span>
            </li>
          );
        })}
    </ol>
  );
}
