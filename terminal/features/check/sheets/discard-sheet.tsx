import { refusalOfRemoval } from "@comanda/rules";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { HoldButton } from "../../../components/hold-button.tsx";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../../components/sheet.tsx";
import { refusalText } from "../../../lib/page/show-refusal.ts";
import { hasBeenSent } from "../acts/line-acts.ts";
import { ReasonChips } from "./reason-chips.tsx";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";

/** Discards the check: at once, and to be undone, while the kitchen has nothing of it; else with a reason and by holding. */
export function DiscardSheet({ order: { posReference, snapshot }, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const act = useCheckAct(onDone);
  const [reason, setReason] = useState<string | null>(null);
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
      <div className="stack low">
        {!isSent && (
          <ActButton kind="danger" onAct={discard}>
            {t("discardUnsent")}
          </ActButton>
        )}
        {isSent && reason === null && (
          <>
            <p>{t("why")}</p>
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
