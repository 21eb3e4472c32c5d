import { IconBellRinging } from "@tabler/icons-react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useTerminal } from "../../lib/pos.ts";
import { attempt } from "../../lib/show-refusal.ts";
import type { LineProgress } from "./line-progress.ts";

/** What stands ready for the check; one tap says that it was taken to the table. */
export function ReadyNote({ progress }: { progress: ReadonlyMap<string, LineProgress> }) {
  const { t } = useTranslation("check");
  const terminal = useTerminal();
  const ready = [...progress.values()].flatMap((line) => line.ready);
  if (ready.length === 0) return null;
  return (
    <div className="strip check-ready" data-tone="good">
      <IconBellRinging size={20} aria-hidden />
      <span>{t("ready", { count: ready.length })}</span>
      <ActButton
        size="small"
        onAct={() => {
          for (const [kitchenTicketId, lines] of Map.groupBy(ready, (line) => line.kitchenTicketId)) {
            const heldBy = lines[0]?.heldBy;
            attempt(() => terminal.served(kitchenTicketId, { lineIds: lines.map(({ lineId }) => lineId), heldBy }));
          }
        }}
      >
        {t("served")}
      </ActButton>
    </div>
  );
}
