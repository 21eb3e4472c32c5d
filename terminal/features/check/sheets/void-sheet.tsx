import { useTranslation } from "@comanda/ui/translation.ts";
import { Sheet } from "../../../components/sheet.tsx";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { withoutLines, giveAway } from "../acts/line-acts.ts";
import { ReasonChips } from "./reason-chips.tsx";
import type { SheetProps } from "../acts/sheet-props.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useSelectionText } from "../acts/use-selection-text.ts";
import { useState } from "react";
import { randomText } from "../../../lib/device/random-text.ts";

/** Asks why the named lines are voided; the tap on a reason voids them. */
export function VoidSheet({ order: { posReference }, chosen, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const menu = useMenu()?.menu ?? null;
  const act = useCheckAct(onDone);
  const selection = useSelectionText()(chosen);
  return (
    <Sheet title={t("what.void", { what: selection })} onClose={onClose}>
      <div className="stack low">
        <p>{t("why")}</p>
        <ReasonChips
          of="void"
          onReason={(reason) =>
            act({
              what: t("what.void", { what: selection }),
              done: t("done.voided", { what: selection }),
              posReference,
              edit: (content) => withoutLines(content, chosen, reason, menu),
            })
          }
        />
      </div>
    </Sheet>
  );
}

/** Asks why the chosen lines are comped; the tap on a reason comps them. The kitchen still makes them. */
export function CompSheet({ order: { posReference }, chosen, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const act = useCheckAct(onDone);
  const selection = useSelectionText()(chosen);
  const [ids] = useState(() => new Map(chosen.map(({ line }) => [line.id, randomText(10)])));
  const what = t("what.comp", { what: selection });
  return (
    <Sheet title={what} onClose={onClose}>
      <div className="stack low">
        <p>{t("whyComp")}</p>
        <ReasonChips
          of="comp"
          onReason={(reason) =>
            act({
              what,
              done: t("done.comped", { what: selection }),
              posReference,
              edit: (content) => giveAway(content, chosen, reason, (lineId) => ids.get(lineId) ?? lineId),
              undo: [posReference],
            })
          }
        />
      </div>
    </Sheet>
  );
}
