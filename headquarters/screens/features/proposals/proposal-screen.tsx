import { Choices } from "@comanda/ui/choices.tsx";
import type { HqProposal, HqProposalState } from "@comanda/protocol/headquarters.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { useState } from "react";
import { Link } from "wouter";
import { Failure } from "../../components/failure.tsx";
import { MissingScreen } from "../../components/missing.tsx";
import { Rows } from "../../components/rows.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { compareNames } from "@comanda/protocol/compare-names.ts";
import { useHq } from "../../lib/cache.ts";
import { OutcomeDialog } from "./outcome-dialog.tsx";
import { hasDetail, OutcomeRow } from "./outcome-row.tsx";
import { ProposalActs } from "./proposal-acts.tsx";
import { ProposalMarks } from "./proposal-marks.tsx";
import { countOf, statesByTrouble, wordOf } from "./proposal-states.ts";
import { TermsLine } from "./terms-line.tsx";
import { useItemTexts } from "./use-item-texts.ts";
import "./proposals.css";

/** A proposal and its outcome at each restaurant. */
export function ProposalScreen({ id }: { id: string }) {
  const { t, format } = useTranslation("proposals");
  const now = useNow();
  const { data, error } = useHq("proposal", { id });
  if (data === undefined) return <MissingScreen error={error} />;
  const { terms, by, madeAt, undoneBy, undoes } = data;
  return (
    <>
      <Link href="/proposals">← {t("back")}</Link>
      <h1>{terms.title}</h1>
      <p>
        <ProposalMarks proposal={data} /> {t("madeBy", { name: by, time: format.when(madeAt, now) })}
      </p>
      <Failure error={error} />
      <ProposalActs proposal={data} />
      <section className="card">
        <h2>{t("items")}</h2>
        <Items terms={terms} />
        <TermsLine terms={terms} now={now} />
        {undoneBy !== null && <Link href={`/proposals/${undoneBy}`}>{t("toUndone")}</Link>}
        {undoes !== null && <Link href={`/proposals/${undoes}`}>{t("toUndoes")}</Link>}
      </section>
      <Restaurants proposal={data} />
    </>
  );
}

function Items({ terms }: { terms: HqProposal["terms"] }) {
  const { nameOf, valueOf } = useItemTexts(terms.kind);
  return (
    <ul className="lines">
      {terms.items.map(({ key, want }) => (
        <li key={key}>
          <strong>{nameOf(key)}</strong>: {valueOf(want)}
        </li>
      ))}
    </ul>
  );
}

/** The restaurants of a proposal, those that need attention first. */
function Restaurants({ proposal }: { proposal: HqProposal }) {
  const { t } = useTranslation("proposals");
  const [search, setSearch] = useState("");
  const [only, setOnly] = useState<HqProposalState | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  const matches = matcherOf(search);
  const rows = proposal.restaurants
    .filter(({ name, id, state }) => (only === null || state === only) && matches(name, id))
    .toSorted((a, b) => rank(a.state) - rank(b.state) || compareNames(a, b));
  const open = proposal.restaurants.find(({ id }) => id === openId);
  return (
    <>
      <h2>{t("restaurants")}</h2>
      <Choices
        aria-label={t("byState")}
        of={proposal.states.map(({ state }) => state)}
        chosen={only}
        text={(state) => t(`count.${wordOf(state, proposal.terms)}`, { count: countOf(proposal.states, state) })}
        onChoose={(state) => setOnly(only === state ? null : state)}
        isRepeatable
      />
      <div className="tools">
        <SearchField value={search} onChange={setSearch} />
      </div>
      {rows.length === 0 && <p className="empty">{t("noRestaurant")}</p>}
      <Rows
        label={t("restaurantsList")}
        rows={rows}
        wideHeight={50}
        // A row without details has no second line.
        narrowHeight={(row) => (hasDetail(row) ? 86 : 48)}
      >
        {(row) => <OutcomeRow row={row} terms={proposal.terms} onOpen={() => setOpenId(row.id)} />}
      </Rows>
      {open !== undefined && <OutcomeDialog row={open} terms={proposal.terms} onClose={() => setOpenId(null)} />}
    </>
  );
}

const rank = (state: HqProposalState): number => statesByTrouble.indexOf(state);
