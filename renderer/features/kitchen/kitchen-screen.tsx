import { SegmentedControl, Select } from "@mantine/core";
import type { OperatorTicket } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Screen } from "../../components/screen.tsx";
import { useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/use-now.ts";
import { TicketCard } from "./ticket-card.tsx";
import { byUrgency, ticketTone } from "./ticket-tone.ts";

type TicketState = "open" | "ready";

/** Every ticket, with the proof that the kitchen saw it. */
export default function KitchenScreen() {
  const { t } = useTranslation("kitchen");
  const [shown, setShown] = useState<TicketState>("open");
  const [station, setStation] = useState<string | null>(null);
  const tickets = useHub("kitchen", { query: { state: shown } });
  const stations = [...new Set(tickets.data?.tickets.flatMap((ticket) => ticket.seen.map((seen) => seen.stationId)))];
  return (
    <Screen
      title={t("title")}
      about={t("about")}
      actions={
        <>
          {stations.length > 1 && (
            <Select
              aria-label={t("station")}
              placeholder={t("anyStation")}
              data={stations.toSorted()}
              value={station}
              onChange={setStation}
              clearable
            />
          )}
          <SegmentedControl
            aria-label={t("show")}
            value={shown}
            onChange={(next) => setShown(next === "ready" ? "ready" : "open")}
            data={[
              { value: "open", label: t("open") },
              { value: "ready", label: t("ready") },
            ]}
          />
        </>
      }
    >
      <Loaded query={tickets} height={260}>
        {(list) => (
          <Tickets
            shown={shown}
            tickets={list.tickets.filter(
              (ticket) => station === null || ticket.seen.some((seen) => seen.stationId === station),
            )}
          />
        )}
      </Loaded>
    </Screen>
  );
}

function Tickets({ tickets, shown }: { tickets: readonly OperatorTicket[]; shown: TicketState }) {
  const { t } = useTranslation("kitchen");
  const now = useNow();
  if (tickets.length === 0) {
    return shown === "open" ? (
      <Empty title={t("emptyTitle")}>{t("empty")}</Empty>
    ) : (
      <Empty title={t("emptyReadyTitle")}>{t("emptyReady")}</Empty>
    );
  }
  const ordered = shown === "open" ? tickets.toSorted(byUrgency(now)) : tickets;
  return (
    <div className="tickets">
      {ordered.map((ticket) => (
        <TicketCard key={ticket.ticketId} ticket={ticket} tone={ticketTone(ticket, now)} />
      ))}
    </div>
  );
}
