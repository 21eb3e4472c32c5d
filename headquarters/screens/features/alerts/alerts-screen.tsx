import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { Link } from "wouter";
import { AlertCard } from "../../components/alert-card.tsx";
import { useAlertTexts } from "../../components/use-alert-texts.ts";
import { Failure } from "../../components/failure.tsx";
import { MissingScreen } from "../../components/missing.tsx";
import { useHq } from "../../lib/cache.ts";
import { SilenceLines } from "./silence-lines.tsx";

/** Alerts shown at a time: a chain in trouble may have thousands, which would freeze the browser. */
const PAGE_SIZE = 100;

/** The open alerts with who takes care of them, and those cleared within a week. */
export function AlertsScreen() {
  const { t } = useTranslation(["alerts", "shell"]);
  const { data, error } = useHq("alerts");
  const [limit, setLimit] = useState(PAGE_SIZE);
  if (data === undefined) return <MissingScreen error={error} />;
  return (
    <>
      <h1>{t("shell:alerts")}</h1>
      <Failure error={error} />
      {data.open.length === 0 && <p className="empty">{t("none")}</p>}
      <ul className="cards">
        {data.open.slice(0, limit).map((alert) => (
          <li key={alert.id}>
            <AlertCard alert={alert} />
          </li>
        ))}
      </ul>
      {data.open.length > limit && (
        <ActButton onAct={() => setLimit(limit + PAGE_SIZE)}>
          {t("showMore", { count: Math.min(PAGE_SIZE, data.open.length - limit) })}
        </ActButton>
      )}
      <SilenceLines alerts={[...data.open, ...data.cleared]} />
      <h2>{t("cleared")}</h2>
      {data.cleared.length === 0 && <p className="soft">{t("clearedNone")}</p>}
      <ul className="lines">
        {data.cleared.map((alert) => (
          <ClearedAlert key={alert.id} alert={alert} />
        ))}
      </ul>
      {data.moreCleared > 0 && <p className="soft">{t("moreCleared", { count: data.moreCleared })}</p>}
    </>
  );
}

function ClearedAlert({ alert }: { alert: HqAlert }) {
  const { t, format } = useTranslation("alerts");
  const now = useNow();
  const { sentence } = useAlertTexts();
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
