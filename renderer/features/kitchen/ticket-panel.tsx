import { SegmentedControl, Select } from "@mantine/core";
import type { OperatorTicket } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "../../components/empty.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useHub } from "../../lib/hub.ts";
import { useNow } from "../../lib/use-now.ts";
import { byStation, NO_STATION } from "./by-station.ts";
import { TicketCard } from "./ticket-card.tsx";
import { byUrgency, isWaiting, ticketTone } from "./ticket-tone.ts";
import { useStations } from "../../lib/stations.ts";

type Shown = "open" | "ready";

/** Every ticket, with the proof that the kitchen saw it. */
export function TicketPanel() {
  const { t } = useTranslation("kitchen");
  const [shown, setShown] = useState<Shown>("open");
  const [station, setStation] = useState<string | null>(null);
  const tickets = useHub("kitchen", { query: { state: shown } });
  const groups = byStation(tickets.data?.tickets ?? [], useStations());
  const nameOf = (name: string | null) => name ?? t("noStation");
  return (
    <>
      <div className="kitchen-tools">
        {(groups.length > 1 || station !== null) && (
          <Select
            aria-label={t("station")}
            placeholder={t("anyStation")}
            data={groups.map(({ stationId, name }) => ({ value: stationId ?? NO_STATION, label: nameOf(name) }))}
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
      </div>
      <Loaded query={tickets} height={260}>
        {(list) => {
          if (list.tickets.length === 0) return <NoTickets shown={shown} />;
          const wanted = groups.filter(
            ({ stationId, tickets: own }) =>
              (station === null || station === (stationId ?? NO_STATION)) && (own.length > 0 || station !== null),
          );
          return wanted.map(({ stationId, name, tickets: own }) => (
            <StationTickets
              key={stationId ?? NO_STATION}
              name={groups.length > 1 ? nameOf(name) : null}
              tickets={own}
              shown={shown}
            />
          ));
        }}
      </Loaded>
    </>
  );
}

interface StationTicketsProps {
  /** Null where there is only one place. */
  name: string | null;
  tickets: readonly OperatorTicket[];
  shown: Shown;
}

function StationTickets({ name, tickets, shown }: StationTicketsProps) {
  const { t } = useTranslation("kitchen");
  const now = useNow();
  const ordered = shown === "open" ? tickets.toSorted(byUrgency(now)) : tickets;
  const waiting = tickets.filter(isWaiting).length;
  const counts = [t("count", { count: tickets.length }), waiting > 0 && t("waiting", { count: waiting })];
  return (
    <section aria-label={name ?? t("tabs.tickets")}>
      {name !== null && (
        <h2 className="station-name">
          {name} <span className="soft">{counts.filter(Boolean).join(" · ")}</span>
        </h2>
      )}
      {tickets.length === 0 ? (
        <NoTickets shown={shown} />
      ) : (
        <div className="tickets">
          {ordered.map((ticket) => (
            <TicketCard key={ticket.ticketId} ticket={ticket} tone={ticketTone(ticket, now)} />
          ))}
        </div>
      )}
    </section>
  );
}

function NoTickets({ shown }: { shown: Shown }) {
  const { t } = useTranslation("kitchen");
  return shown === "open" ? (
    <Empty title={t("emptyTitle")}>{t("empty")}</Empty>
  ) : (
    <Empty title={t("emptyReadyTitle")}>{t("emptyReady")}</Empty>
  );
}
