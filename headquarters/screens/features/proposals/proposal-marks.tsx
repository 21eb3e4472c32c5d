import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { kindOf } from "./proposal-states.ts";

/** What a proposal is about, and whether it still stands. */
export function ProposalMarks({ proposal }: { proposal: HqProposalRow }) {
  const { t } = useTranslation("proposals");
  const { terms, withdrawnAt, undoneBy, undoes } = proposal;
  return (
    <span className="marks">
      <span className="mark" data-tone="accent">
        {t(`kind.${kindOf(terms)}`)}
      </span>
      {undoes !== null && <Mark text={t("undoes")} />}
      {undoneBy !== null && <Mark text={t("undone")} />}
      {withdrawnAt !== null && <Mark text={t("withdrawn")} />}
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
