import { MINUTE_MS } from "@comanda/protocol";
import type { Waiting } from "@comanda/terminal";
import { wholeNumber } from "@comanda/ui/format.ts";
import { useTextAt } from "@comanda/ui/use-now.ts";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { joinWithDots } from "@comanda/ui/join-with-dots.ts";
import { showNotice } from "../../lib/page/notices.ts";
import { useTerminal } from "../../lib/connection/pos.ts";
import { showRefusal } from "../../lib/page/show-refusal.ts";
import { undoAct } from "../../lib/page/undo-act.ts";

/** Guests on the wait list: name, party, time waited and time quoted. */
export function WaitingRow({
  waiting: { key, version, party },
  onSeat,
  onChange,
}: {
  waiting: Waiting;
  onSeat: () => void;
  onChange: () => void;
}) {
  const { t, format } = useTranslation(["host", "order"]);
  const terminal = useTerminal();
  const { since, guestName: name, partySize, phone, quotedMinutes, ...rest } = party;
  const wait = useTextAt(() => format.ago(since, terminal.now()));
  const isOver = useTextAt(() => (terminal.now() > Date.parse(since) + quotedMinutes * MINUTE_MS ? "over" : "")) !== "";
  const set = async (status: "waiting" | "left", seen: number) => {
    try {
      const details = { ...rest, guestName: name, partySize, phone, quotedMinutes, status };
      const next = await terminal.putWaiting(key, details, seen);
      if (status === "left")
        showNotice({ text: t("hasLeft", { name }), act: undoAct(() => void set("waiting", next)) });
    } catch (error) {
      showRefusal(error);
    }
  };
  return (
    <li className="booking" data-tone={isOver ? "warn" : "accent"}>
      <div className="booking-when">
        <strong>{wait}</strong>
        {isOver && <span className="booking-state">{t("overQuote")}</span>}
      </div>
      <div className="booking-who">
        <button type="button" aria-label={t("changeWaiting", { name })} onClick={onChange}>
          {name}
        </button>
        <span>
          {joinWithDots(
            t("order:guests", { count: partySize }),
            t("quoted", { count: quotedMinutes }),
            phone && wholeNumber(phone),
          )}
        </span>
      </div>
      <div className="booking-acts-row">
        <ActButton aria-label={t("leftNamed", { name })} onAct={() => void set("left", version)}>
          {t("left")}
        </ActButton>
        <ActButton kind="main" aria-label={t("seatNamed", { name })} onAct={onSeat}>
          {t("seat")}
        </ActButton>
      </div>
    </li>
  );
}
