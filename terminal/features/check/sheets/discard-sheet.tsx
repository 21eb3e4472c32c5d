import { refusalOfRemoval } from "@comanda/rules";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { HoldButton } from "../../../components/hold-button.tsx";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { refusalText } from "../../../lib/page/show-refusal.ts";
import { addedSince, hasBeenSent } from "../acts/line-acts.ts";
import { ReasonChips } from "./reason-chips.tsx";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useSelectionText } from "../acts/use-selection-text.ts";

/** Discards a check: with one tap and undo while nothing was sent, otherwise with a reason and a long press. */
export function DiscardSheet({ order: { posReference, snapshot }, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const act = useCheckAct(onDone);
  const [reason, setReason] = useState<string | null>(null);
  const [opened] = useState(snapshot.lines);
  const added = useSelectionText()(addedSince(opened, snapshot.lines));
  const isSent = snapshot.lines.some(hasBeenSent);
  if (refusalOfRemoval(snapshot) !== null) {
    return (
      <Sheet title={t("discard")} onClose={onClose}>
        <p className="stack low">{refusalText("HAS_PAYMENTS")}</p>
      </Sheet>
    );
  }
  const discard = () =>
    act({
      what: t("discard"),
      done: t("done.discarded"),
      run: (commands) => commands.discardOrder(posReference, reason ?? undefined),
      ...(isSent ? {} : { undo: [posReference] }),
    });
  return (
    <Sheet title={t("discard")} onClose={onClose}>
      {/* The key resets the long press when lines were added meanwhile: it was meant for less. */}
      <div className="stack low" key={added}>
        {added !== "" && <p role="status">{t("addedSince", { what: added })}</p>}
        {!isSent && (
          <ActButton kind="danger" onAct={discard}>
            {t("discardUnsent")}
          </ActButton>
        )}
        {isSent && reason === null && (
          <>
            <p>{t("whyDiscard")}</p>
            <ReasonChips of="void" onReason={setReason} />
          </>
        )}
        {isSent && reason !== null && (
          <>
            <p>{t("discardSent", { reason })}</p>
            <HoldButton onHeld={discard}>{t("holdToDiscard")}</HoldButton>
          </>
        )}
      </div>
    </Sheet>
  );
}
