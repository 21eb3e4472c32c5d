import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useLocation } from "wouter";
import { Dialog } from "../../components/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { callHq } from "../../lib/hq.ts";
import { useAct } from "../../lib/use-act.ts";
import { termsOf, type PartProps } from "./draft.ts";
import { forgetDraft } from "./draft-store.ts";
import { TermsLine } from "./terms-line.tsx";
import { useDraftTitle } from "./use-draft-title.ts";
import { useItemTexts } from "./use-item-texts.ts";
import { useShortList } from "./use-short-list.ts";

/** How many names and items are listed at most. */
const MAX_NAMES = 40;
const MAX_ITEMS = 12;

/** Shows what is about to be sent, and to which restaurants. If headquarters refuse it, the draft stays. */
export function ReviewDialog({
  draft,
  moment,
  targets,
  at,
  onClose,
}: PartProps & { targets: readonly { id: string; name: string }[]; at: string; onClose: () => void }) {
  const { t } = useTranslation("proposals");
  const [, navigate] = useLocation();
  const shortList = useShortList();
  const { isBusy, error, act } = useAct();
  const title = useDraftTitle(draft);
  const terms = termsOf(draft, moment, { title, at });
  const { nameOf, valueOf } = useItemTexts(terms.kind);
  const count = targets.length;

  async function send(): Promise<void> {
    const { id } = await callHq("propose", { body: { proposal: terms, restaurants: targets.map((each) => each.id) } });
    forgetDraft();
    onClose();
    navigate(`/proposals/${id}`);
  }

  return (
    <Dialog title={title} isBusy={isBusy} onClose={onClose}>
      <ul className="lines">
        {terms.items.slice(0, MAX_ITEMS).map(({ key, want }) => (
          <li key={key}>
            <strong>{draft.dishes.get(key) ?? nameOf(key)}</strong>: {valueOf(want)}
          </li>
        ))}
        {terms.items.length > MAX_ITEMS && <li>{t("more", { count: terms.items.length - MAX_ITEMS })}</li>}
      </ul>
      <p>
        <strong>{t("willSend", { count })}</strong>:{" "}
        {shortList(
          targets.map(({ name }) => name),
          MAX_NAMES,
        )}
        .
      </p>
      <TermsLine terms={terms} now={moment.now} />
      <ActButton kind="main" disabled={isBusy} onAct={() => void act(send)}>
        {t("send", { count })}
      </ActButton>
      <Failure error={error} isDetailed />
    </Dialog>
  );
}
