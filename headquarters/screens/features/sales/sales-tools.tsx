import { DAY_MS, restaurantClock } from "@comanda/protocol";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { GroupSelect } from "../../components/group-select.tsx";
import { byName } from "../../lib/by-name.ts";
import { useNow, useTimeZone } from "../../lib/cache.ts";
import type { QueryOf } from "../../lib/hq.ts";

type Query = QueryOf<"sales">;

/** The business day by the chain's clocks: what is sold after midnight belongs to the evening before. */
export function businessDay(timeZone: string | undefined, daysBefore = 0): string {
  const { timeZone: ownZone } = Intl.DateTimeFormat().resolvedOptions();
  return restaurantClock(timeZone ?? ownZone).day(Date.now() - daysBefore * DAY_MS);
}

const ranges = [
  { name: "today", from: 0, to: 0 },
  { name: "yesterday", from: 1, to: 1 },
  { name: "week", from: 6, to: 0 },
  { name: "month", from: 29, to: 0 },
] as const;

/** Which days, and of which restaurants. */
export function SalesTools({ query, onChange }: { query: Query; onChange: (query: Query) => void }) {
  const { t } = useTranslation(["sales", "now"]);
  const { data } = useNow();
  const timeZone = useTimeZone();
  const today = (daysBefore: number): string => businessDay(timeZone, daysBefore);
  const { from, to, group, restaurant } = query;
  const change = (part: Partial<Query>) => {
    const next = { ...query, ...part };
    const { group: nextGroup, restaurant: nextRestaurant, ...days } = next;
    onChange({
      ...days,
      ...(nextGroup ? { group: nextGroup } : {}),
      ...(nextRestaurant ? { restaurant: nextRestaurant } : {}),
    });
  };
  const listed = data?.restaurants.filter(({ groups }) => group === undefined || groups.includes(group)) ?? [];
  return (
    <div className="tools">
      <fieldset className="chips" aria-label={t("range")}>
        {ranges.map((range) => (
          <ActButton
            key={range.name}
            size="small"
            aria-pressed={from === today(range.from) && to === today(range.to)}
            onAct={() => change({ from: today(range.from), to: today(range.to) })}
            isRepeatable
          >
            {t(range.name)}
          </ActButton>
        ))}
      </fieldset>
      <DayInput name={t("from")} value={from} onChange={(day) => change({ from: day, to: day > to ? day : to })} />
      <DayInput name={t("to")} value={to} onChange={(day) => change({ to: day, from: day < from ? day : from })} />
      <GroupSelect value={group ?? ""} onChange={(next) => change({ group: next, restaurant: "" })} />
      <select
        className="input"
        aria-label={t("now:restaurant")}
        value={restaurant ?? ""}
        onChange={({ target }) => change({ restaurant: target.value })}
      >
        <option value="">{t("oneRestaurant")}</option>
        {listed.toSorted(byName).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function DayInput({ name, value, onChange }: { name: string; value: string; onChange: (day: string) => void }) {
  return (
    <label className="day-field">
      <span className="soft">{name}</span>
      <input
        className="input"
        type="date"
        value={value}
        onChange={({ target }) => {
          if (target.value !== "") onChange(target.value);
        }}
      />
    </label>
  );
}
