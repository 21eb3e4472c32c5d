import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useLive } from "../../lib/pos.ts";
import { checksByTable } from "../../checks/checks-by-table.ts";
import { GuestCount, USUAL_PARTY } from "./guest-count.tsx";
import { freeTables } from "./host-day.ts";
import type { Party } from "./party.ts";
import { useSeat } from "./use-seat.ts";

/** Where the guests sit: the table of their booking with one tap, or any free one. */
export function SeatSheet({ party, onClose }: { party: Party | null; onClose: () => void }) {
  const { t } = useTranslation("host");
  const seat = useSeat();
  const floors = useLive("floors")?.floors ?? [];
  const taken = checksByTable(useLive("orders"));
  const [guestCount, setGuestCount] = useState(party?.partySize ?? USUAL_PARTY);
  const tables = floors.flatMap((floor) => floor.tables.map((table) => ({ ...table, floor: floor.name })));
  const booked = tables.find(({ id }) => id === party?.tableId);
  const isBookedFree = booked !== undefined && !taken.has(booked.id);
  const others = freeTables(tables, new Set(taken.keys()), guestCount).filter(({ id }) => id !== booked?.id);
  const sit = (tableId: number) => {
    onClose();
    seat({ tableId, guestCount, party });
  };
  return (
    <Sheet title={party?.name ?? t("walkIn")} onClose={onClose}>
      <div className="seat">
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
          {others.map(({ id, name, seats }) => (
            <ActButton key={id} onAct={() => sit(id)}>
              <span>
                {name}
                <span className="act-more">{t("seats", { count: seats })}</span>
              </span>
            </ActButton>
          ))}
        </fieldset>
      </div>
    </Sheet>
  );
}
