import { useTranslation } from "@comanda/ui/translation.ts";
import { useNow } from "@comanda/ui/use-now.ts";
import { Link } from "wouter";
import { Dialog } from "../../components/dialog.tsx";
import { Mark } from "@comanda/ui/mark.tsx";
import type { Outcome, Terms } from "./outcome-row.tsx";
import { toneOf, wordOf } from "./proposal-states.ts";
import { useItemTexts } from "./use-item-texts.ts";
import { useRefusalText } from "./use-refusal-text.ts";

/** Everything that a restaurant reported about a proposal. */
export function OutcomeDialog({ row, terms, onClose }: { row: Outcome; terms: Terms; onClose: () => void }) {
  const { t, format } = useTranslation(["proposals", "common"]);
  const now = useNow();
  const { nameOf, valueOf } = useItemTexts(terms.kind);
  const { id, name, state, at, lastSeenAt, outcome } = row;
  const refusalText = useRefusalText(nameOf);
  const isUnreachable = state === "unreachable";
  const since = isUnreachable ? lastSeenAt : at;
  return (
    <Dialog title={name} onClose={onClose}>
      <p>
        <Mark tone={toneOf[state]}>{t(`state.${wordOf(state, terms)}`)}</Mark>{" "}
        <span className="soft">
          {since !== null &&
            (isUnreachable ? t("common:missingSince", { time: format.when(since, now) }) : format.when(since, now))}
        </span>
      </p>
      <p>{t(`stateAbout.${wordOf(state, terms)}`)}</p>
      {outcome?.by !== undefined && <p>{t("decidedBy", { name: outcome.by })}</p>}
      {state === "refused" && (
        <p className="failure" data-tone="bad">
          {refusalText(outcome)}{" "}
          <span className="soft">{outcome?.code !== undefined && t("reasonCode", { code: outcome.code })}</span>
        </p>
      )}
      {state === "conflict" && (
        <ul className="lines">
          {outcome?.items?.map(({ key, was, want, now: current }) => (
            <li key={key}>
              {t("conflictItem", { item: nameOf(key), there: valueOf(current), wanted: valueOf(want) })}{" "}
              {was !== undefined && <span className="soft">{t("expected", { value: valueOf(was) })}</span>}
            </li>
          ))}
        </ul>
      )}
      <Link href={`/restaurants/${id}`}>{t("toRestaurant")}</Link>
    </Dialog>
  );
}
