import { ActButton } from "@comanda/ui/act-button.tsx";
import type { HqAlert } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useContext } from "react";
import { Link } from "wouter";
import { callHq } from "../lib/hq.ts";
import { PersonContext, useHasRole } from "../lib/person.ts";
import { useAct } from "../lib/use-act.ts";
import { useAlertTexts } from "./use-alert-texts.ts";
import { Contact } from "./contact.tsx";
import { Failure } from "./failure.tsx";
import { Mark } from "@comanda/ui/mark.tsx";

/** An open alert: its place (or its kind, on the restaurant's page), what to do, since when, and who takes care of it. */
export function AlertCard({ alert, title = "place" }: { alert: HqAlert; title?: "place" | "kind" }) {
  const { t, format } = useTranslation("alerts");
  const now = useNow();
  const { short, sentence } = useAlertTexts();
  const person = useContext(PersonContext);
  const mayTake = useHasRole("owner", "operations", "region");
  const { isBusy, error, act } = useAct();
  const { id, severity, restaurantId, restaurantName, contact, group, since, takenBy } = alert;
  const isUrgent = severity === "page";
  const isMine = takenBy !== null && takenBy === person?.name;
  const take = (isTaken: boolean) => void act(() => callHq("takeAlert", { id, body: { isTaken } }));
  return (
    <article className="card alert-card" data-tone={isUrgent ? "bad" : "warn"}>
      <div className="card-head">
        <h3>
          {title === "kind" && short(alert.kind)}
          {title === "place" && restaurantId === null && (group ?? t("whole"))}
          {title === "place" && restaurantId !== null && (
            <Link href={`/restaurants/${restaurantId}`}>{restaurantName}</Link>
          )}
        </h3>
        <Mark tone={isUrgent ? "bad" : "warn"}>{t(isUrgent ? "urgent" : "toSee")}</Mark>
      </div>
      <p>{sentence(alert)}</p>
      {title === "place" && <Contact text={contact ?? ""} />}
      <p className="soft">
        {t("since", { time: format.when(since, now), age: format.age(now - Date.parse(since)) })}
        {takenBy !== null && ` · ${t("takenBy", { name: takenBy })}`}
      </p>
      {mayTake && (
        <ActButton disabled={isBusy} onAct={() => take(!isMine)}>
          {t(isMine ? "leave" : takenBy === null ? "take" : "takeOver")}
        </ActButton>
      )}
      <Failure error={error} />
    </article>
  );
}
