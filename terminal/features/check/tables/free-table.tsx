import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useCheckAct } from "../acts/use-check-act.ts";

/** Closes a check whose lines are all voided or comped, in place of its payment: nothing is due. */
export function FreeTable({ order: { posReference, snapshot }, onDone }: { order: LocalOrder; onDone: () => void }) {
  const { t } = useTranslation("check");
  const act = useCheckAct(onDone);
  const what = snapshot.tableId === null ? t("endCheck") : t("freeTable");
  const reason = snapshot.lines.findLast(({ voidReason }) => voidReason != null)?.voidReason ?? undefined;
  const end = () =>
    act({
      what,
      done: t(snapshot.tableId === null ? "done.ended" : "done.freed"),
      run: (commands) => commands.discardOrder(posReference, reason),
    });
  return (
    <ActButton kind="main" onAct={end}>
      <span>
        {what}
        <span className="act-more">{t(snapshot.lines.some(({ comp }) => comp === true) ? "allGiven" : "allVoid")}</span>
      </span>
    </ActButton>
  );
}
