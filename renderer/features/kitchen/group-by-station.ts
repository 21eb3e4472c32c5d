import type { OperatorTicket, Station } from "@comanda/protocol";

/** Stands for tickets without a station in a list of choices. No station has an empty id. */
export const NO_STATION = "";

interface StationTickets {
  stationId: string | null;
  name: string | null;
  tickets: OperatorTicket[];
}

/**
 * Groups tickets by station: first the stations of the setting in its order, also those without tickets, then stations that no
 * longer exist, and tickets without a station.
 */
export function groupByStation(tickets: readonly OperatorTicket[], stations: readonly Station[]): StationTickets[] {
  const groups = new Map<string | null, StationTickets>();
  for (const { id, name } of stations) groups.set(id, { stationId: id, name, tickets: [] });
  for (const ticket of tickets) {
    const { stationId, stationName } = ticket;
    const group = groups.get(stationId) ?? { stationId, name: stationName, tickets: [] };
    group.tickets.push(ticket);
    groups.set(stationId, group);
  }
  return [...groups.values()];
}
