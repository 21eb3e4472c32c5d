import { contentOf, moveLines, seatAt } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Sheet } from "../../../components/sheet.tsx";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { randomText } from "../../../lib/device/random-text.ts";
import { useMenu } from "../../../lib/menu/use-menu.ts";
import { newReference } from "../../../checks/new-check.ts";
import { isAll, partsOf } from "../acts/line-acts.ts";
import type { SheetProps } from "../acts/sheet-props.ts";
import { TargetPicker } from "./target-picker.tsx";
import { useCheckAct } from "../acts/use-check-act.ts";
import { useSelectionText } from "../acts/use-selection-text.ts";

/** Moves the selected lines to another check, to a table where they open one, or to a new check at the same table. */
export function MoveLinesSheet({ order, chosen, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const terminal = useTerminal();
  const menu = useMenu()?.menu ?? null;
  const act = useCheckAct();
  const selection = useSelectionText()(chosen);
  const { posReference, snapshot } = order;
  const isWhole = isAll(snapshot.lines, chosen);
  const title = t("what.move", { what: selection });

  const moveTo = (into: string, tableId: number | null, target: string): void => {
    const isThere = terminal.order(into) !== undefined;
    const isDone = act({
      what: title,
      done: t("done.moved", { what: selection, target }),
      run: (commands) => {
        if (isThere) {
          return isWhole
            ? commands.mergeOrders([posReference], into)
            : commands.moveLines(posReference, into, partsOf(chosen));
        }
        if (isWhole && tableId !== null) return commands.moveToTable(posReference, tableId);
        const content = contentOf(snapshot);
        const { checkNumber: _, ticketNumber: __, tableIds: ___, ...like } = content;
        const empty = { ...like, tableId, adjustments: [], lines: [] };
        const moved = moveLines({ posReference, content }, empty, partsOf(chosen), () => randomText(10));
        return commands.changeOrders([
          { posReference: into, content: tableId === null ? moved.into : seatAt(moved.into, tableId, menu) },
          { posReference, content: moved.from },
        ]);
      },
      undo: isThere || !isWhole ? [posReference, into] : [posReference],
      tables: isThere || tableId === null ? [] : [tableId],
    });
    if (!isDone) return;
    if (isWhole) onDone(isThere ? into : posReference);
    else onDone();
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <TargetPicker
        from={order}
        onCheck={(target, name) => moveTo(target.posReference, target.tableId, name)}
        onTable={(tableId, name) => moveTo(newReference(terminal.now()), tableId, name)}
        {...(isWhole ? {} : { onNew: () => moveTo(newReference(terminal.now()), order.tableId, t("newCheck")) })}
      />
    </Sheet>
  );
}

/** Moves the whole check to another table. If that has a check, it then has one more. */
export function MoveCheckSheet({ order, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const act = useCheckAct(() => onDone(order.posReference));
  return (
    <Sheet title={t("moveCheck")} onClose={onClose}>
      <TargetPicker
        from={order}
        onTable={(tableId, target) =>
          act({
            what: t("moveCheck"),
            done: t("done.checkMoved", { target }),
            run: (commands) => commands.moveToTable(order.posReference, tableId),
            undo: [order.posReference],
            tables: [tableId],
          })
        }
      />
    </Sheet>
  );
}

/** Merges this check into another one and closes it. */
export function MergeSheet({ order, onClose, onDone }: SheetProps) {
  const { t } = useTranslation("check");
  const act = useCheckAct();
  const { posReference } = order;
  return (
    <Sheet title={t("merge")} onClose={onClose}>
      <TargetPicker
        from={order}
        onCheck={({ posReference: into }, target) => {
          const isDone = act({
            what: t("merge"),
            done: t("done.merged", { target }),
            run: (commands) => commands.mergeOrders([posReference], into),
            undo: [posReference, into],
          });
          if (isDone) onDone(into);
        }}
      />
    </Sheet>
  );
}
