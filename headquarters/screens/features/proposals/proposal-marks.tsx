import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Mark } from "@comanda/ui/mark.tsx";
import { kindOf } from "./proposal-states.ts";

/** Marks for the kind of a proposal, its begin if that is in the future, and whether it was undone or withdrawn. */
export function ProposalMarks({ proposal }: { proposal: HqProposalRow }) {
  const { t, format } = useTranslation("proposals");
  const now = useNow();
  const { terms, withdrawnAt, undoneBy, undoes } = proposal;
  const isAhead = withdrawnAt === null && Date.parse(terms.at) > now;
  return (
    <span className="marks">
      <Mark tone="accent">{t(`kind.${kindOf(terms)}`)}</Mark>
      {isAhead && <Mark tone="warn">{t("begins", { time: format.upcoming(terms.at, now) })}</Mark>}
      {undoes !== null && <Mark tone="idle">{t("undoes")}</Mark>}
      {undoneBy !== null && <Mark tone="idle">{t("undone")}</Mark>}
      {withdrawnAt !== null && <Mark tone="idle">{t("state.withdrawn")}</Mark>}
    </span>
  );
}
