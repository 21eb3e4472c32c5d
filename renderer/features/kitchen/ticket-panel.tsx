import { SegmentedControl } from "@mantine/core";
import type { OperatorTicket } from "@comanda/protocol";
import { useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { Empty } from "../../components/layout/empty.tsx";
import { useOrderLabels } from "../../components/labels.ts";
import { FilterSelect } from "../../components/forms/filter-select.tsx";
import { Loaded } from "../../components/tables/loaded.tsx";
import { SearchField } from "../../components/forms/search-field.tsx";
import { useHub } from "../../lib/hub.ts";
import { useFound, useOnFound } from "../../lib/found.ts";
import { matcherOf } from "@comanda/ui/search.ts";
import { useNow } from "../../lib/hub-time.ts";
import { groupByStation, NO_STATION } from "./group-by-station.ts";
import { TicketGrid } from "./ticket-grid.tsx";
import { compareUrgency, isUnseen } from "./ticket-tone.ts";
import { useStations } from "../../lib/stations.ts";
import { useChoice } from "../../lib/still-offered.ts";

type Shown = "open" | "ready";

/** Every ticket, with the proof that the kitchen saw it. */
export function TicketPanel() {
  const { t } = useTranslation(["kitchen", "common"]);
  const nameOf = (name: string | null) => name ?? t("noStation");
  const [shown, setShown] = useState<Shown>("open");
  const [search, setSearch] = useState("");
  const tickets = useHub("kitchen", { query: { state: shown } });
  const matching = useTicketSearch(tickets.data?.tickets, search);
  const stations = useStations();
  const groups = groupByStation(matching, stations);
  const places = groupByStation(tickets.data?.tickets ?? [], stations).map(({ stationId, name }) => ({
    value: stationId ?? NO_STATION,
    label: nameOf(name),
  }));
  const [station, setStation] = useChoice(tickets.data && places.map(({ value }) => value));
  const found = useFound("ticket");
  useOnFound(found, () => {
    setShown("open");
    setStation(null);
    setSearch("");
  });
  return (
    <>
      <div className="chips kitchen-tools">
        <SearchField label={t("search")} value={search} onChange={setSearch} />
        {(places.length > 1 || station !== null) && (
          <FilterSelect
            label={t("station")}
            any={t("anyStation")}
            value={station}
            onChange={setStation}
            data={places}
          />
        )}
        <SegmentedControl
          aria-label={t("show")}
          value={shown}
          onChange={setShown}
          data={[
            { value: "open", label: t("open") },
            { value: "ready", label: t("ready") },
          ]}
        />
      </div>
      <Loaded query={tickets} height={260}>
        {(list) => {
          if (list.tickets.length === 0) return <NoTickets shown={shown} />;
          const visible = groups.filter(
            ({ stationId, tickets: own }) =>
              (station === null || station === (stationId ?? NO_STATION)) && (own.length > 0 || station !== null),
          );
          if (matching.length === 0 || visible.length === 0) {
            return <Empty title={t("common:nothingFoundTitle")}>{t("common:nothingFound")}</Empty>;
          }
          return visible.map(({ stationId, name, tickets: own }) => (
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

/** Returns the tickets whose card contains the search. */
function useTicketSearch(tickets: readonly OperatorTicket[] = [], search: string): readonly OperatorTicket[] {
  const { place, writer } = useOrderLabels();
  const matches = matcherOf(search);
  return tickets.filter((ticket) => {
    const { posReference, customerName, sentBy, lines } = ticket;
    const dishes = lines.flatMap(({ name, note }) => [name, note]);
    return matches(place(ticket), posReference, customerName, writer(sentBy), ...dishes);
  });
}

interface StationTicketsProps {
  /** Null if there is only one group of tickets. */
  name: string | null;
  tickets: readonly OperatorTicket[];
  shown: Shown;
}

function StationTickets({ name, tickets, shown }: StationTicketsProps) {
  const { t } = useTranslation(["kitchen", "common"]);
  const now = useNow();
  const ordered = shown === "open" ? tickets.toSorted(compareUrgency(now)) : tickets;
  const unseen = tickets.filter(isUnseen).length;
  const counts = [t("count", { count: tickets.length }), unseen > 0 && t("common:notSeen", { count: unseen })];
  return (
    <section aria-label={name ?? t("tabs.tickets")}>
      {name !== null && (
        <h2 className="station-name">
          {name} <span className="soft">{counts.filter(Boolean).join(" · ")}</span>
        </h2>
      )}
      {tickets.length === 0 ? <NoTickets shown={shown} /> : <TicketGrid tickets={ordered} />}
    </section>
  );
}

function NoTickets({ shown }: { shown: Shown }) {
  const { t } = useTranslation("kitchen");
  const name = shown === "open" ? "empty" : "emptyReady";
  return <Empty title={t(`${name}Title`)}>{t(name)}</Empty>;
}
