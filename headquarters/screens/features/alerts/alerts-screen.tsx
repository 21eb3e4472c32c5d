import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow as useClock } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";
import { AlertCard } from "../../components/alert-card.tsx";
import { useAlertWords } from "../../components/alert-words.ts";
import { Failure } from "../../components/failure.tsx";
import { Missing } from "../../components/missing.tsx";
import { useAlerts } from "../../lib/cache.ts";
import { SilenceLines } from "./silence-lines.tsx";

/** What is wrong, who sees to it, and what was within a week. */
export function AlertsScreen() {
  const { t } = useTranslation("alerts");
  const { data, error } = useAlerts();
  if (data === undefined) return <Missing error={error} />;
  return (
    <>
      <h1>{t("title")}</h1>
      <Failure error={error} />
      {data.open.length === 0 && <p className="empty">{t("none")}</p>}
      <ul className="cards">
        {data.open.map((alert) => (
          <li key={alert.id}>
            <AlertCard alert={alert} />
          </li>
        ))}
      </ul>
      <SilenceLines alerts={[...data.open, ...data.cleared]} />
      <h2>{t("cleared")}</h2>
      {data.cleared.length === 0 && <p className="soft">{t("clearedNone")}</p>}
      <ul className="lines">
        {data.cleared.map((alert) => (
          <ClearedAlert key={alert.id} alert={alert} />
        ))}
      </ul>
    </>
  );
}

function ClearedAlert({ alert }: { alert: HqAlert }) {
  const { t } = useTranslation("alerts");
  const format = useFormat();
  const now = useClock();
  const { sentence } = useAlertWords();
  const lastedMs = Date.parse(alert.clearedAt ?? alert.since) - Date.parse(alert.since);
  return (
    <li>
      {alert.restaurantId !== null && (
        <>
          <Link href={`/restaurants/${alert.restaurantId}`}>{alert.restaurantName}</Link>:{" "}
        </>
      )}
      {sentence(alert)}{" "}
      <span className="soft">
        {t("lasted", { time: format.when(alert.since, now), age: format.age(lastedMs) })}
        {alert.takenBy !== null && `, ${t("takenBy", { name: alert.takenBy })}`}
      </span>
    </li>
  );
}
