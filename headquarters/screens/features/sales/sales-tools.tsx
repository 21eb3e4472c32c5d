import { addDays, restaurantClock } from "@comanda/protocol";
import { Choices } from "@comanda/ui/choices.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import type { ReactNode } from "react";
import { GroupSelect, OtherOption } from "../../components/group-select.tsx";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { useHq, useTimeZone } from "../../lib/cache.ts";
import type { QueryOf } from "../../lib/hq.ts";

type Query = QueryOf<"sales">;

/** Returns the business day and the hour in the chain's time zone. Sales after midnight belong to the day before. */
export function chainMoment(timeZone: string | undefined): { today: string; hour: number } {
  const { timeZone: ownZone } = Intl.DateTimeFormat().resolvedOptions();
  const clock = restaurantClock(timeZone ?? ownZone);
  const now = Date.now();
  return { today: clock.day(now), hour: clock.hour(now) };
}

/** How many days before today each range begins and ends. */
const ranges = { today: [0, 0], yesterday: [1, 1], week: [6, 0], month: [29, 0] } as const;
const rangeNames = ["today", "yesterday", "week", "month"] as const;

/** The choice of days and restaurants. `children`: further tools. */
export function SalesTools({
  query,
  onChange,
  children,
}: {
  query: Query;
  onChange: (part: Partial<Query>) => void;
  children: ReactNode;
}) {
  const { t } = useTranslation(["sales", "now"]);
  const { data } = useHq("now");
  const timeZone = useTimeZone();
  const { today } = chainMoment(timeZone);
  const daysOf = (name: keyof typeof ranges) => {
    const [first, last] = ranges[name];
    return { from: addDays(today, -first), to: addDays(today, -last) };
  };
  const { from, to, group, restaurant } = query;
  const listed = data?.restaurants.filter(({ groups }) => !group || groups.includes(group)) ?? [];
  return (
    <div className="tools">
      <Choices
        aria-label={t("range")}
        of={rangeNames}
        chosen={rangeNames.find((name) => from === daysOf(name).from && to === daysOf(name).to) ?? null}
        text={(name) => t(name)}
        onChoose={(name) => onChange(daysOf(name))}
        isRepeatable
      />
      <DayInput name={t("from")} value={from} onChange={(day) => onChange({ from: day, to: day > to ? day : to })} />
      <DayInput name={t("to")} value={to} onChange={(day) => onChange({ to: day, from: day < from ? day : from })} />
      <GroupSelect value={group ?? ""} onChange={(next) => onChange({ group: next, restaurant: "" })} />
      <select
        className="input"
        aria-label={t("now:restaurant")}
        value={restaurant ?? ""}
        onChange={({ target }) => onChange({ restaurant: target.value })}
      >
        <option value="">{t("oneRestaurant")}</option>
        {listed.toSorted(compareNames).map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <OtherOption value={restaurant ?? ""} isListed={listed.some(({ id }) => id === restaurant)} />
      </select>
      {children}
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
