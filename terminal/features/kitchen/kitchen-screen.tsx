import type { Station } from "@comanda/protocol";
import { useStore } from "@comanda/ui/store.ts";
import { IconArrowBackUp, IconListNumbers, IconSettings } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { ActButton } from "@comanda/ui/act-button.tsx";
import { useLive } from "../../lib/connection/pos.ts";
import { useWidth } from "../../lib/page/use-width.ts";
import type { DishSum } from "./tickets/all-day.ts";
import { kitchenDevice, changeKitchenDevice } from "./device/kitchen-device.ts";
import {
  AllDayList,
  AllDaySheet,
  OptionsSheet,
  RecallSheet,
  RingTickets,
  ShiftBar,
  StaleBar,
} from "./sheets/lazy-sheets.ts";
import { nothingPrepared } from "./tickets/prepared.ts";
import { isAtStation } from "./tickets/ticket-facts.ts";
import { TicketBoard } from "./board/ticket-board.tsx";
import { useKitchenActs } from "./tickets/use-kitchen-acts.ts";
import "./kitchen.css";
import "./tickets/ticket.css";

const MAX_RECALLED = 20;
const noStations: readonly Station[] = [];

/** The tickets of a station, oldest first, where cooks mark dishes as ready. */
export function KitchenScreen() {
  const { t } = useTranslation("kitchen");
  const width = useWidth();
  const device = useStore(kitchenDevice);
  const stations = useLive("menu")?.stations ?? noStations;
  const open = useLive("tickets");
  const over = useLive("recentTickets");
  const acts = useKitchenActs();
  const [sheet, setSheet] = useState<"recall" | "allDay" | "options" | null>(null);
  const [marked, setMarked] = useState<DishSum | null>(null);
  // If the chosen station was removed, shows all tickets.
  const chosen = stations.some(({ id }) => id === device.stationId) ? device.stationId : null;
  const tickets = useMemo(
    () => open.filter((ticket) => isAtStation(ticket, chosen, stations)),
    [open, chosen, stations],
  );
  const recent = useMemo(
    () => over.filter((ticket) => isAtStation(ticket, chosen, stations) && nothingPrepared(ticket).size > 0),
    [over, chosen, stations],
  );

  const recalled = recent.slice(0, MAX_RECALLED);
  const allDay = { tickets, marked, onMark: setMarked };
  const close = () => setSheet(null);
  return (
    <div className="kitchen" data-width={width} data-wall={device.isWall || undefined}>
      <div className="kitchen-bars">
        <StaleBar />
        <ShiftBar />
        <RingTickets open={open} shown={tickets} isOnShift={device.isOnShift} />
      </div>
      <div className="row kitchen-tools">
        <StationChoice stations={stations} chosen={chosen} />
        <span className="kitchen-count">{t("count", { count: tickets.length })}</span>
        <ActButton size="small" aria-label={t("recall")} onAct={() => setSheet("recall")}>
          <IconArrowBackUp aria-hidden />
          {width !== "phone" && t("recall")}
        </ActButton>
        {width !== "pc" && (
          <ActButton size="small" aria-label={t("allDay")} onAct={() => setSheet("allDay")}>
            <IconListNumbers aria-hidden />
            {width !== "phone" && t("allDay")}
          </ActButton>
        )}
        <ActButton size="small" aria-label={t("options")} onAct={() => setSheet("options")}>
          <IconSettings aria-hidden />
        </ActButton>
      </div>
      <TicketBoard
        key={chosen ?? ""}
        tickets={tickets}
        recent={recent}
        isOnShift={device.isOnShift}
        isStationNamed={chosen === null && stations.length > 1}
        marked={marked}
        acts={acts}
      />
      {width === "pc" && (
        <aside className="kitchen-rail" aria-label={t("allDay")}>
          <h2>{t("allDay")}</h2>
          <AllDayList {...allDay} />
        </aside>
      )}
      {sheet === "recall" && <RecallSheet tickets={recalled} onRecall={acts.recall} onClose={close} />}
      {sheet === "allDay" && <AllDaySheet {...allDay} onClose={close} />}
      {sheet === "options" && <OptionsSheet onClose={close} />}
    </div>
  );
}

/** Chooses the station whose tickets this device shows. */
function StationChoice({ stations, chosen }: { stations: readonly Station[]; chosen: string | null }) {
  const { t } = useTranslation("kitchen");
  if (stations.length < 2) return null;
  return (
    <fieldset className="kitchen-stations" aria-label={t("station")}>
      {[{ id: null, name: t("allStations") }, ...stations].map(({ id, name }) => (
        <ActButton
          key={id ?? ""}
          size="small"
          aria-pressed={id === chosen}
          onAct={() => changeKitchenDevice({ stationId: id })}
        >
          {name}
        </ActButton>
      ))}
    </fieldset>
  );
}
