import { oneLine } from "@comanda/protocol";
import { useTranslation } from "@comanda/ui/translation.ts";
import { showNotice } from "../../lib/notices.ts";
import { useTerminal } from "../../lib/pos.ts";
import { attempt, failureText } from "../../lib/show-refusal.ts";
import { undoAct } from "../../lib/undo-act.ts";
import { useTableNames } from "../../lib/table-names.ts";
import { openCheck } from "../../checks/new-check.ts";
import type { Party } from "./party.ts";

/** Guests at a table: a check is opened there, which names who they are if they booked or waited. */
export function useSeat(): (guests: { tableId: number; guestCount: number; party: Party | null }) => void {
  const { t } = useTranslation("host");
  const terminal = useTerminal();
  const names = useTableNames();
  return ({ tableId, guestCount, party }) => {
    const ofParty =
      party === null
        ? {}
        : { customerName: oneLine(party.name), pluginData: { [party.record.pluginId]: { key: party.record.key } } };
    const check = attempt(() => openCheck(terminal, { orderType: "dine_in", tableId, guestCount, ...ofParty }, []));
    if (check === null) return;
    const name = party?.name ?? t("guests", { count: guestCount });
    showNotice({
      text: t("seatedAt", { name, table: names.get(tableId) ?? t("theTable") }),
      act: undoAct(() => {
        const discarded = attempt(() => terminal.discardOrder(check));
        if (discarded !== null && party !== null) void expectAgain(party, discarded.outcome);
      }),
    });
  };
}

/** Only once the hub has no check any more that names them: until then they count as seated. */
async function expectAgain({ mark }: Party, discarded: Promise<unknown>): Promise<void> {
  await discarded;
  await mark(false).catch((error: unknown) => showNotice({ text: failureText(error) }));
}
