import type { OperatorTicket, Station } from "@comanda/protocol";

/** Stands for the tickets of no station in a list of choices; no station has an empty id. */
export const NO_STATION = "";

interface StationTickets {
  stationId: string | null;
  name: string | null;
  tickets: OperatorTicket[];
}

/**
 * The tickets of each station: first those of the setting in its order, also the ones without a ticket, then what was sent
 * to stations that are gone, or to none.
 */
export function byStation(tickets: readonly OperatorTicket[], stations: readonly Station[]): StationTickets[] {
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
