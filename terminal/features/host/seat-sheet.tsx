import { useState } from "react";
import { Link } from "wouter";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useLive, useTerminal } from "../../lib/connection/pos.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { GuestCount, USUAL_PARTY } from "./guest-count.tsx";
import { TableKey } from "./table-key.tsx";
import { notSeated, type Party, unseat } from "./party.ts";
import { tablesFor } from "./phone-booking.ts";
import { oneLine } from "@comanda/protocol";
import { showNotice } from "../../lib/page/notices.ts";
import { attempt, refusalText, showRefusal } from "../../lib/page/show-refusal.ts";
import { undoAct } from "../../lib/page/undo-act.ts";
import { useTableNames } from "../../lib/labels/table-names.ts";
import { openCheck } from "../../checks/new-check.ts";

/** Seats guests: at the table of their booking with one tap, or at any other. `party` is the current state. */
export function SeatSheet({ party, onClose }: { party: Party | null; onClose: () => void }) {
  return party !== null && (party.check !== null || party.isMarked) ? (
    <SettledSheet name={party.name} check={party.check} onClose={onClose} />
  ) : (
    <TablesSheet party={party} onClose={onClose} />
  );
}

/** Shown if the guests were seated or settled elsewhere meanwhile, so that they do not get a second table. */
export function SettledSheet({ name, check, onClose }: Pick<Party, "name" | "check"> & { onClose: () => void }) {
  const { t } = useTranslation("host");
  const names = useTableNames();
  return (
    <Sheet title={name} onClose={onClose}>
      <div className="stack tight seat">
        {check === null ? (
          <output>{t("settledMeanwhile")}</output>
        ) : (
          <>
            <output>
              {t("satDownMeanwhile", { table: (check.tableId !== null && names.get(check.tableId)) || t("theTable") })}
            </output>
            <Link className="act" href={`/check/${encodeURIComponent(check.posReference)}`}>
              {t("openCheck")}
            </Link>
          </>
        )}
      </div>
    </Sheet>
  );
}

function TablesSheet({ party, onClose }: { party: Party | null; onClose: () => void }) {
  const { t } = useTranslation("host");
  const terminal = useTerminal();
  const seat = useSeat();
  const floors = useLive("floors")?.floors ?? [];
  const bookings = useLive("bookings");
  const occupied = checksByTable(useLive("orders"));
  const [guestCount, setGuestCount] = useState(party?.partySize ?? USUAL_PARTY);
  const tables = floors.flatMap((floor) => floor.tables.map((table) => ({ ...table, floor: floor.name })));
  const booked = tables.find(({ id }) => id === party?.tableId);
  const isBookedFree = booked !== undefined && !occupied.has(booked.id);
  const others = tablesFor({
    tables: tables.filter(({ id }) => !occupied.has(id) && id !== booked?.id),
    bookings,
    partySize: guestCount,
    at: terminal.now(),
  });
  const sit = (tableId: number) => {
    onClose();
    seat({ tableId, guestCount, party });
  };
  return (
    <Sheet title={party?.name ?? t("walkIn")} onClose={onClose}>
      <div className="stack tight seat">
        {isBookedFree && (
          <ActButton kind="main" onAct={() => sit(booked.id)}>
            {t("seatAt", { table: booked.name })}
          </ActButton>
        )}
        {booked !== undefined && !isBookedFree && <output>{t("occupied", { table: booked.name })}</output>}
        <GuestCount count={guestCount} onCount={setGuestCount} />
        <fieldset className="seat-tables">
          <legend>{t(booked === undefined ? "table" : "otherTable")}</legend>
          {others.length === 0 && <p>{t("noFreeTable")}</p>}
          {others.map((table) => (
            <TableKey key={table.id} table={table} onChoose={() => sit(table.id)} />
          ))}
        </fieldset>
      </div>
    </Sheet>
  );
}

/** Returns a function that seats guests: opens a check at the table, which names their booking or wait record. */
function useSeat(): (guests: { tableId: number; guestCount: number; party: Party | null }) => void {
  const { t } = useTranslation(["host", "order"]);
  const terminal = useTerminal();
  const names = useTableNames();
  return ({ tableId, guestCount, party }) => {
    const partyTables =
      party === null
        ? {}
        : { customerName: oneLine(party.name), pluginData: { [party.record.pluginId]: { key: party.record.key } } };
    const check = attempt(() => openCheck(terminal, { orderType: "dine_in", tableId, guestCount, ...partyTables }, []));
    if (check === null) return;
    const name = party?.name ?? t("order:guests", { count: guestCount });
    showNotice({
      text: t("seatedAt", { name, table: names.get(tableId) ?? t("theTable") }),
      act: undoAct(() => {
        const discarded = attempt(() => terminal.discardOrder(check.posReference));
        if (discarded !== null) unseat(terminal, party, discarded).catch(showRefusal);
      }),
    });
    notSeated(terminal, check)
      .then((code) => code !== null && showNotice({ text: refusalText(code) }))
      .catch(showRefusal);
  };
}
