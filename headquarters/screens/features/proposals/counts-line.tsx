import type { HqProposalRow } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Fragment } from "react";
import { toneOf, wordOf } from "./proposal-states.ts";

/** The number of restaurants in each state, in words. */
export function CountsLine({ proposal: { states, terms } }: { proposal: HqProposalRow }) {
  const { t } = useTranslation("proposals");
  return (
    <p>
      {states.map(({ state, restaurants: count }, index) => (
        <Fragment key={state}>
          {index > 0 && ", "}
          <span className="says" data-tone={state === "refused" || state === "conflict" ? toneOf[state] : undefined}>
            {t(`count.${wordOf(state, terms)}`, { count })}
          </span>
        </Fragment>
      ))}
    </p>
  );
}
