import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useFormat } from "@comanda/ui/format.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow as useClock } from "@comanda/ui/use-now.ts";
import { kindOf } from "./proposal-states.ts";

/** What a proposal is about, when it begins where that is ahead, and whether it still stands. */
export function ProposalMarks({ proposal }: { proposal: HqProposalRow }) {
  const { t } = useTranslation("proposals");
  const format = useFormat();
  const now = useClock();
  const { terms, withdrawnAt, undoneBy, undoes } = proposal;
  const isAhead = withdrawnAt === null && Date.parse(terms.at) > now;
  return (
    <span className="marks">
      <span className="mark" data-tone="accent">
        {t(`kind.${kindOf(terms)}`)}
      </span>
      {isAhead && (
        <span className="mark" data-tone="warn">
          {t("begins", { time: format.upcoming(terms.at, now) })}
        </span>
      )}
      {undoes !== null && <Mark text={t("undoes")} />}
      {undoneBy !== null && <Mark text={t("undone")} />}
      {withdrawnAt !== null && <Mark text={t("state.withdrawn")} />}
    </span>
  );
}

function Mark({ text }: { text: string }) {
  return (
    <span className="mark" data-tone="idle">
      {text}
    </span>
  );
}
