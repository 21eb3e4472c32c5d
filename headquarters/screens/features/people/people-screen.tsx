import { ActButton } from "@comanda/ui/act-button.tsx";
import type { HqPersonRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { Failure } from "../../components/failure.tsx";
import { Mark } from "@comanda/ui/mark.tsx";
import { MissingScreen } from "../../components/missing.tsx";
import { useHq, useSession } from "../../lib/cache.ts";
import { lastDayOf } from "./last-day.ts";
import { PersonDialog } from "./person-dialog.tsx";

/** The people who may sign in, with their roles. For owners. */
export function PeopleScreen() {
  const { t, format } = useTranslation(["people", "shell"]);
  const { data, error } = useHq("people");
  const provider = useSession().data?.provider;
  const [edited, setEdited] = useState<HqPersonRow | "new" | null>(null);
  function signInMethods({ email, hasPassword }: HqPersonRow, name: string): string {
    const methods = [
      ...(email === null ? [] : [t("byProvider", { name, email })]),
      ...(hasPassword ? [t("byPassword")] : []),
    ];
    return methods.join(" · ");
  }
  if (data === undefined) return <MissingScreen error={error} />;
  return (
    <>
      <h1>{t("shell:people")}</h1>
      <Failure error={error} />
      <div className="tools">
        <ActButton kind="main" onAct={() => setEdited("new")}>
          {t("add")}
        </ActButton>
      </div>
      <ul className="cards">
        {data.people.map((person) => (
          <li key={person.id}>
            <article className="card">
              <div className="card-head">
                <h3>{person.name}</h3>
                <Standing person={person} />
              </div>
              <p>
                {person.login} · {t(`shell:role.${person.role}`)}
                {person.groups.length > 0 && ` · ${person.groups.join(", ")}`}
                {person.expiresAt !== null && ` · ${t("endsOn", { day: format.date(lastDayOf(person.expiresAt)) })}`}
              </p>
              {provider != null && <p className="soft">{signInMethods(person, provider.name)}</p>}
              <ActButton aria-label={t("edit", { name: person.name })} onAct={() => setEdited(person)}>
                {t("change")}
              </ActButton>
            </article>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <PersonDialog
          person={edited === "new" ? null : edited}
          provider={provider?.name ?? null}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

/** Shows why a person may not sign in; nothing if they may. */
function Standing({ person: { isActive, expiresAt } }: { person: HqPersonRow }) {
  const { t } = useTranslation("people");
  const now = useNow();
  const hasEnded = expiresAt !== null && Date.parse(expiresAt) <= now;
  if (isActive && !hasEnded) return null;
  return <Mark tone="idle">{t(isActive ? "ended" : "inactive")}</Mark>;
}
