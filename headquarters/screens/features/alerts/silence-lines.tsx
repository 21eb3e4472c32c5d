import { DAY_MS } from "@comanda/protocol";
import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useId } from "react";
import { useAlertTexts } from "../../components/use-alert-texts.ts";
import { TimeLine, within } from "../../components/time-line.tsx";
import "./alerts.css";

const MAX_ROWS = 12;
const tones = { offline: "bad", behind: "warn" } as const;
type Kind = keyof typeof tones;

type Silence = HqAlert & { kind: Kind };

/** The kind of a shared alert begins with the kind of a single one. */
function silenceOf(alert: HqAlert): Silence[] {
  const kind = (Object.keys(tones) as Kind[]).find((each) => alert.kind.startsWith(each));
  return kind === undefined ? [] : [{ ...alert, kind }];
}

/** Who was offline or behind within a day, on a line each. Restaurants that fell silent together are next to each other. */
export function SilenceLines({ alerts }: { alerts: readonly HqAlert[] }) {
  const { t, format } = useTranslation("alerts");
  const { short } = useAlertTexts();
  const title = useId();
  const to = useNow();
  const from = to - DAY_MS;
  const places = Map.groupBy(
    alerts.flatMap(silenceOf).filter((silence) => endOf(silence, to) > from),
    ({ restaurantName, group }) => restaurantName ?? group ?? t("whole"),
  );
  // By their latest begin, descending.
  const rows = [...places].toSorted(([, a], [, b]) => lastOf(b) - lastOf(a));
  if (rows.length === 0) return null;

  const describe = ({ kind, since, clearedAt }: Silence): string => {
    const age = format.age(endOf({ clearedAt }, to) - Date.parse(since));
    const values = { what: short(kind), time: format.when(since, to), age };
    return t(clearedAt === null ? "silentSince" : "silentFor", values);
  };
  return (
    <section className="card" aria-labelledby={title}>
      <h2 id={title}>{t("silences")}</h2>
      <p className="soft silence-ends" aria-hidden>
        <span>{format.when(new Date(from).toISOString(), to)}</span>
        <span>{t("untilNow")}</span>
      </p>
      <ul className="silences">
        {rows.slice(0, MAX_ROWS).map(([name, all]) => (
          <li key={name}>
            <strong>{name}</strong>
            <TimeLine
              from={from}
              to={to}
              description={all.map(describe).join("; ")}
              parts={all.flatMap((alert) =>
                within(from, to, { start: Date.parse(alert.since), end: endOf(alert, to), tone: tones[alert.kind] }),
              )}
            />
            <span className="soft">{all.map(describe).join("; ")}</span>
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p className="soft">{t("moreSilences", { count: rows.length - MAX_ROWS })}</p>}
    </section>
  );
}

function endOf({ clearedAt }: Pick<HqAlert, "clearedAt">, now: number): number {
  return clearedAt === null ? now : Date.parse(clearedAt);
}

function lastOf(alerts: readonly HqAlert[]): number {
  return Math.max(...alerts.map(({ since }) => Date.parse(since)));
}
