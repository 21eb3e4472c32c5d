import { isActive } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { useEffect } from "react";
import { useTerminal } from "../../lib/connection/pos.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTableNames } from "../../lib/words/table-names.ts";
import type { CheckAtTable } from "./check-at-table.ts";

/** Says what others did with the check that a table's screen shows, and who: no tile that is tapped next is for it. */
export function useLeftCheck(
  posReference: string | null,
  { known, moved }: Pick<CheckAtTable, "known" | "moved">,
): void {
  const { t } = useTranslation("order");
  const terminal = useTerminal();
  const tableNames = useTableNames();
  const nameOf = (origin: string | null): string =>
    terminal.presence().find(({ terminalId }) => terminalId === origin)?.userName ?? t("somebody");

  useEffect(() =>
    terminal.on("removedByOther", (removed) => {
      if (removed.posReference !== posReference) return;
      const name = nameOf(removed.origin);
      showNotice({ text: t(removed.mergedInto.length > 0 ? "mergedBy" : "discardedBy", { name }) });
    }),
  );

  const said = paidWords() ?? movedWords();
  useEffect(() => {
    if (said !== null) showNotice({ text: said });
  }, [said]);

  function paidWords(): string | null {
    if (known === undefined || isActive(known.snapshot.status)) return null;
    const { paidBy } = known.snapshot;
    return typeof paidBy === "string" ? `${t("paid")} ${t("paidBy", { name: paidBy })}` : t("paid");
  }

  function movedWords(): string | null {
    const table = moved?.snapshot.tableId ?? null;
    // One's own move says so itself.
    if (moved === undefined || table === null || moved.pending > 0) return null;
    if (moved.origin === terminal.signedIn()?.terminalId) return null;
    return t("movedBy", { name: nameOf(moved.origin), table: tableNames.get(table) ?? String(table) });
  }
}
