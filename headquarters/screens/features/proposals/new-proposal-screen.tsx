import { Choices } from "@comanda/ui/choices.tsx";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { Link } from "wouter";
import { Missing } from "../../components/missing.tsx";
import { TextField } from "../../components/text-field.tsx";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { useHq, useTimeZone } from "../../lib/cache.ts";
import { useHasRole } from "../../lib/person.ts";
import { beginTime, validUntil, problemOf, targetsOf, type DraftProblem, type PartProps } from "./draft.ts";
import { useDraft } from "./draft-store.ts";
import { ReviewDialog } from "./review-dialog.tsx";
import { SettingPart } from "./setting-part.tsx";
import { StockPart } from "./stock-part.tsx";
import { TargetsPart } from "./targets-part.tsx";
import { useDraftTitle } from "./use-draft-title.ts";
import "./proposals.css";

const dayCounts = [1, 3, 7, 30] as const;
const policies = ["apply", "ask"] as const;
const begins = ["now", "time"] as const;

/** The form for a new proposal: what, to which restaurants, and how. It is sent after a review. */
export function NewProposalScreen() {
  const { t } = useTranslation(["proposals", "failure"]);
  const mayPropose = useHasRole("owner", "operations", "region");
  return (
    <>
      <Link href="/proposals">← {t("back")}</Link>
      <h1>{t("new")}</h1>
      {mayPropose ? <Editor /> : <p>{t("failure:FORBIDDEN")}</p>}
    </>
  );
}

function Editor() {
  const { t } = useTranslation("proposals");
  const { data, error } = useHq("now");
  const now = useNow();
  const { draft, change } = useDraft();
  const [problem, setProblem] = useState<DraftProblem | null>(null);
  const [isReviewing, setReviewing] = useState(false);
  const timeZone = useTimeZone();
  const moment = { now, timeZone };
  if (data === undefined) return <Missing error={error} />;
  const restaurants = data.restaurants.toSorted(compareNames);
  const targets = targetsOf(draft, restaurants);
  const part: PartProps = {
    draft,
    moment,
    onChange(part) {
      change(part);
      setProblem(null);
    },
  };
  return (
    <>
      <div className="two-columns">
        <section className="card stack">
          <h2>{t("what")}</h2>
          <KindChoice {...part} />
          {draft.kind === "setting" ? <SettingPart {...part} /> : <StockPart {...part} />}
        </section>
        <div className="stack">
          <section className="card stack">
            <h2>{t("whom")}</h2>
            <TargetsPart {...part} restaurants={restaurants} />
          </section>
          <section className="card stack">
            <h2>{t("how")}</h2>
            <HowPart {...part} />
            <BeginPart {...part} />
            <ValidityPart {...part} />
            <TitlePart {...part} />
          </section>
        </div>
      </div>
      <p>
        <strong>{t("willSend", { count: targets.length })}</strong>
      </p>
      {problem !== null && (
        <p className="failure" data-tone="bad" role="alert">
          {t(`problem.${problem}`)}
        </p>
      )}
      <div className="tools">
        <ActButton
          kind="main"
          // It sends nothing, and may be pressed again right after a correction.
          isRepeatable
          onAct={() => {
            const found = problemOf(draft, { now: Date.now(), timeZone }, targets);
            setProblem(found);
            setReviewing(found === null);
          }}
        >
          {t("review")}
        </ActButton>
      </div>
      {isReviewing && (
        <ReviewDialog
          {...part}
          targets={targets}
          // By headquarters' clock: if this device's were ahead, restaurants would wait.
          at={data.coverage.asOf}
          onClose={() => setReviewing(false)}
        />
      )}
    </>
  );
}

function KindChoice({ draft, onChange }: PartProps) {
  const { t } = useTranslation("proposals");
  const maySteer = useHasRole("owner", "operations");
  return (
    <Choices
      legend={t("chooseKind")}
      of={maySteer ? (["out", "resume", "setting"] as const) : (["out", "resume"] as const)}
      chosen={draft.kind}
      text={(kind) => t(`newKind.${kind}`)}
      onChoose={(kind) => onChange({ kind })}
      isRepeatable
    />
  );
}

function HowPart({ draft, onChange }: PartProps) {
  const { t } = useTranslation("proposals");
  if (draft.kind === "setting") return null;
  return (
    <Choices
      legend={t("choosePolicy")}
      of={policies}
      chosen={draft.policy}
      text={(policy) => t(`policy.${policy}`)}
      onChoose={(policy) => onChange({ policy })}
      isRepeatable
    />
  );
}

/** When the proposal begins: at once, or at a time in the chain's time zone. */
function BeginPart({ draft, moment, onChange }: PartProps) {
  const { t, format } = useTranslation("proposals");
  const begin = beginTime(draft, moment);
  return (
    <>
      <Choices
        legend={t("chooseBegin")}
        of={begins}
        chosen={draft.begins}
        text={(each) => t(`begin.${each}`)}
        onChoose={(each) => onChange({ begins: each })}
        isRepeatable
      />
      {draft.begins === "time" && (
        <TextField
          label={t("beginsAt")}
          required={false}
          type="datetime-local"
          value={draft.beginsAt}
          onChange={({ target }) => onChange({ beginsAt: target.value })}
        />
      )}
      {draft.begins === "time" && begin > moment.now && (
        <p className="soft">{t("beginsAbout", { time: format.upcoming(new Date(begin).toISOString(), moment.now) })}</p>
      )}
    </>
  );
}

function ValidityPart({ draft, moment, onChange }: PartProps) {
  const { t, format } = useTranslation("proposals");
  // NaN while no time is entered.
  const until = validUntil(draft, moment);
  const isChoice = dayCounts.some((days) => validUntil({ ...draft, days }, moment) !== until);
  return (
    <>
      {isChoice && (
        <label className="field">
          <span>{t("good")}</span>
          <select
            className="input"
            value={draft.days}
            onChange={({ target }) => onChange({ days: Number(target.value) })}
          >
            {dayCounts.map((count) => (
              <option key={count} value={count}>
                {t("days", { count })}
              </option>
            ))}
          </select>
        </label>
      )}
      {!Number.isNaN(until) && (
        <p className="soft">{t("goodAbout", { time: format.dateTime(new Date(until).toISOString()) })}</p>
      )}
    </>
  );
}

function TitlePart({ draft, onChange }: PartProps) {
  const { t } = useTranslation("proposals");
  return (
    <TextField
      label={t("titleField")}
      required={false}
      value={draft.title}
      placeholder={useDraftTitle(draft)}
      maxLength={200}
      onChange={({ target }) => onChange({ title: target.value })}
    />
  );
}
