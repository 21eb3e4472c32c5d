import { isActive } from "@comanda/protocol";
import type { LocalOrder } from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect, useRef } from "react";
import { useTerminal } from "../../lib/connection/pos.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import type { CheckAtTable } from "./check-at-table.ts";
import { moverOf } from "./mover-of.ts";

/** Shows a notice when another user moved, paid or discarded the check shown at a table: the next tile is not for it. */
export function useLeftCheck(
  posReference: string | null,
  { found, moved }: Pick<CheckAtTable, "found" | "moved">,
): void {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const tableNames = useTableNames();
  const nameOf = (origin: string | null): string =>
    terminal.presence().find(({ terminalId }) => terminalId === origin)?.userName ?? t("somebody");

  const paidText = ({ snapshot: { paidBy } }: LocalOrder): string =>
    typeof paidBy === "string" ? `${t("paid")} ${t("paidBy", { name: paidBy })}` : t("paid");
  const movedText = (check: LocalOrder, before: LocalOrder | undefined): string | null => {
    const { tableId } = check;
    const mover = moverOf(check, before, terminal.signedIn()?.terminalId);
    if (mover === "self" || tableId === null) return null;
    return t("movedBy", { name: nameOf(mover.terminalId), table: tableNames.get(tableId) ?? String(tableId) });
  };

  useEffect(() =>
    terminal.on("removedByOther", ({ posReference: removed, origin, mergedInto }) => {
      // A check that was removed on this device before is unknown by now, and needs no notice.
      if (removed !== posReference || found === undefined) return;
      if (mergedInto === null) return showNotice({ text: t("checkRemoved") });
      showNotice({ text: t(mergedInto.length > 0 ? "mergedBy" : "discardedBy", { name: nameOf(origin) }) });
    }),
  );

  /** The check as last seen at the table. */
  const lastSeen = useRef<LocalOrder>(undefined);
  /** The table it moved to, or "paid": its notice is shown once, since a later change there is no move. */
  const lastNotice = useRef<LocalOrder["tableId"] | "paid">(undefined);
  useEffect(() => {
    const isPaid = found !== undefined && !isActive(found.snapshot.status);
    const now = isPaid ? "paid" : moved?.tableId;
    if (moved === undefined && !isPaid) lastSeen.current = found;
    if (now === lastNotice.current) return;
    lastNotice.current = now;
    const text = isPaid ? paidText(found) : moved === undefined ? null : movedText(moved, lastSeen.current);
    if (text !== null) showNotice({ text });
  });
}
