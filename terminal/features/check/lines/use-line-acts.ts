import { subtract } from "@comanda/rules";
import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { isBlank } from "../../../checks/nothing-left.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { isAll, withoutLines, type ChosenLine } from "../acts/line-acts.ts";
import type { LineProgress } from "./line-progress.ts";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useSelectionText } from "../acts/use-selection-text.ts";

/** The acts on the selected lines that need no confirmation. */
export function useLineActs(
  { posReference, snapshot }: LocalOrder,
  chosen: readonly ChosenLine[],
  /** Called when the act is done; clears the selection. */
  onDone: () => void,
) {
  const { t } = useTranslation("check");
  const menu = useMenu()?.menu ?? null;
  const act = useCheckAct(onDone);
  const selection = useSelectionText()(chosen);

  const remove = (): void => {
    act({
      what: t("what.remove", { what: selection }),
      done: t("done.removed", { what: selection }),
      ...(isAll(snapshot.lines, chosen) && isBlank(snapshot)
        ? { run: (commands) => commands.discardOrder(posReference) }
        : { posReference, edit: (content) => withoutLines(content, chosen, "", menu) }),
      undo: [posReference],
    });
  };
  const markServed = (served: LineProgress["ready"]): void => {
    for (const { kitchenTicketId, lineId, heldBy } of served) {
      act({
        what: t("progress.served"),
        done: t("done.served", { what: selection }),
        run: (commands) => commands.served(kitchenTicketId, { lineIds: [lineId], onlyReady: true, heldBy }),
      });
    }
  };
  const takeBack = (): void => {
    const parts = chosen.map(({ line, quantity }) => ({
      lineId: line.id,
      quantity: subtract(line.quantity, quantity),
    }));
    act({
      what: t("what.takeBack", { what: selection }),
      done: t("done.takenBack", { what: selection }),
      run: (commands) => commands.takeBack(posReference, parts),
    });
  };

  return { remove, takeBack, markServed };
}
