import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";
import { AlertCard } from "../../components/alert-card.tsx";
import { Contact } from "../../components/contact.tsx";
import { Failure } from "../../components/failure.tsx";
import { Mark } from "@comanda/ui/mark.tsx";
import { MissingScreen } from "../../components/missing.tsx";
import { PresenceMark } from "../../components/presence-mark.tsx";
import { useHoleText } from "../../components/use-hole-text.ts";
import { useRestaurant } from "../../lib/cache.ts";
import type { AnswerOf } from "../../lib/hq.ts";
import { useHasRole } from "../../lib/person.ts";
import { AskHub } from "./ask-hub.tsx";
import { CheckTable } from "./check-table.tsx";
import { LastBeat } from "./last-beat.tsx";
import { Manage } from "./manage.tsx";
import { OutageDays } from "./outage-days.tsx";
import "./restaurant.css";

type Restaurant = AnswerOf<"restaurant">;

/** Everything that headquarters have of one restaurant. */
export function RestaurantScreen({ id }: { id: string }) {
  const { t } = useTranslation("restaurant");
  const { data, error } = useRestaurant(id);
  const maySteer = useHasRole("owner", "operations");
  if (data === undefined) return <MissingScreen error={error} />;
  const { name, groups, contact, presence, lastSeenAt, beat, openAlerts, hubId } = data;
  return (
    <>
      <Link href="/">← {t("back")}</Link>
      <h1>
        {name} <span className="soft">{groups.join(", ")}</span>
      </h1>
      <p>
        <PresenceMark presence={presence} lastSeenAt={lastSeenAt} isOpen={beat?.sessionOpen === true} />
      </p>
      <Contact text={contact} />
      <Failure error={error} />
      <ul className="cards">
        {openAlerts.map((alert) => (
          <li key={alert.id}>
            <AlertCard alert={alert} title="kind" />
          </li>
        ))}
      </ul>
      <div className="two-columns">
        <div className="stack">
          <section className="card">
            <h2>{t("lastWord")}</h2>
            {beat === null ? <p>{t("never")}</p> : <LastBeat beat={beat} lastSeenAt={lastSeenAt} />}
          </section>
          {hubId !== null && <AskHub id={id} name={name} />}
          <Digests digests={data.digests} />
          <Holes holes={data.holes} />
        </div>
        <div className="stack">
          <section className="card">
            <h2>{t("outages")}</h2>
            {beat === null ? <p className="soft">{t("neverHeard")}</p> : <OutageDays {...data} />}
          </section>
          {maySteer && <Manage restaurant={data} />}
        </div>
      </div>
      <CheckTable restaurantId={id} checks={data.checks} copyOf={data.copyOf} />
    </>
  );
}

function Digests({ digests }: { digests: Restaurant["digests"] }) {
  const { t, format } = useTranslation("restaurant");
  return (
    <section className="card">
      <h2>{t("digests")}</h2>
      {digests.length === 0 && <p className="soft">{t("noDigests")}</p>}
      <ul className="lines">
        {digests.map(({ day, isEqual, paid, paidHere }) => (
          <li key={day}>
            {format.date(day)}{" "}
            <Mark tone={isEqual ? "good" : "bad"}>
              {isEqual ? t("digestGood", { count: paid }) : t("digestBad", { count: paid, here: paidHere })}
            </Mark>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Holes({ holes }: { holes: Restaurant["holes"] }) {
  const { t, format } = useTranslation("restaurant");
  const now = useNow();
  const textOf = useHoleText();
  if (holes.length === 0) return null;
  return (
    <section className="card">
      <h2>{t("holes")}</h2>
      <ul className="lines">
        {holes.map(({ from, to, cause, at }) => (
          <li key={`${at} ${from}`}>
            {format.when(at, now)}: {textOf(cause)} <span className="soft">{t("holeRange", { from, to })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
