import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";
import { Failure } from "../../components/failure.tsx";
import { MissingScreen } from "../../components/missing.tsx";
import { useHq } from "../../lib/cache.ts";
import { useHasRole } from "../../lib/person.ts";
import { CountsLine } from "./counts-line.tsx";
import { ProposalMarks } from "./proposal-marks.tsx";
import "./proposals.css";

/** The proposals, newest first, with their progress. */
export function ProposalsScreen() {
  const { t } = useTranslation(["proposals", "shell"]);
  const { data, error } = useHq("proposals");
  const mayPropose = useHasRole("owner", "operations", "region");
  if (data === undefined) return <MissingScreen error={error} />;
  return (
    <>
      <h1>{t("shell:proposals")}</h1>
      <p className="soft">{t("about")}</p>
      <Failure error={error} />
      {mayPropose && (
        <div className="tools">
          <Link href="/proposals/new" className="act" data-kind="main">
            {t("new")}
          </Link>
        </div>
      )}
      {data.proposals.length === 0 && <p className="empty">{t("none")}</p>}
      <ul className="cards proposals" aria-label={t("list")}>
        {data.proposals.map((proposal) => (
          <li key={proposal.id}>
            <ProposalCard proposal={proposal} />
          </li>
        ))}
      </ul>
    </>
  );
}

function ProposalCard({ proposal }: { proposal: HqProposalRow }) {
  const { t, format } = useTranslation("proposals");
  const now = useNow();
  const { id, terms, by, madeAt, withdrawnAt, undoneBy } = proposal;
  return (
    <article className="card" data-over={withdrawnAt !== null || undoneBy !== null}>
      <h2>
        <Link href={`/proposals/${id}`}>{terms.title}</Link>
      </h2>
      <p className="soft">
        <ProposalMarks proposal={proposal} /> {t("madeBy", { name: by, time: format.when(madeAt, now) })}
      </p>
      <CountsLine proposal={proposal} />
    </article>
  );
}
