import type { HqProposal } from "@comanda/protocol/headquarters.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Mark } from "@comanda/ui/mark.tsx";
import { toneOf, wordOf } from "./proposal-states.ts";
import { useItemTexts } from "./use-item-texts.ts";
import { useRefusalText } from "./use-refusal-text.ts";

export type Outcome = HqProposal["restaurants"][number];
export type Terms = HqProposal["terms"];

/** Returns whether an outcome has more to show than its state. */
export function hasDetail({ state, outcome }: Outcome): boolean {
  if (state === "conflict") return (outcome?.items ?? []).length > 0;
  return state === "unreachable" || state === "refused" || outcome?.by !== undefined;
}

/** The outcome of a proposal at one restaurant in a line. A tap opens all details. */
export function OutcomeRow({ row, terms, onOpen }: { row: Outcome; terms: Terms; onOpen: () => void }) {
  const { t, format } = useTranslation(["proposals", "common"]);
  const now = useNow();
  const { nameOf, valueOf } = useItemTexts(terms.kind);
  const refusalText = useRefusalText(nameOf);
  const { name, state, at, lastSeenAt, outcome } = row;

  function detail(): string {
    if (state === "unreachable")
      return lastSeenAt === null ? t("silentAlways") : t("common:missingSince", { time: format.when(lastSeenAt, now) });
    if (state === "refused") return refusalText(outcome);
    if (state === "conflict") {
      const [first, ...more] = outcome?.items ?? [];
      if (first === undefined) return "";
      const values = { item: nameOf(first.key), there: valueOf(first.now), wanted: valueOf(first.want) };
      return t("conflictItem", values) + (more.length === 0 ? "" : ` · ${t("more", { count: more.length })}`);
    }
    return outcome?.by === undefined ? "" : t("decidedBy", { name: outcome.by });
  }

  return (
    <button type="button" className="row-line outcome" onClick={onOpen}>
      <strong className="outcome-name">{name}</strong>
      <span>
        <Mark tone={toneOf[state]}>{t(`state.${wordOf(state, terms)}`)}</Mark>
      </span>
      {hasDetail(row) ? <span className="outcome-detail">{detail()}</span> : <span className="outcome-none" />}
      <span className="soft outcome-at">{at === null ? "" : format.when(at, now)}</span>
    </button>
  );
}
