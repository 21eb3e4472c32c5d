import { HUB_ORIGIN, type KitchenTicket, type TicketLine } from "@comanda/protocol";
import {
  freeLineId,
  dishKey,
  lineKey,
  partsByLine,
  remakeTickets,
  settleRemade,
  linesWithoutTickets,
} from "@comanda/rules";
import type { Tx } from "../../changes/change.ts";
import type { TicketStore } from "../../kitchen/ticket-store.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { PointOfSale } from "../point-of-sale.ts";
import type { OrderStore } from "../store/order-store.ts";

/** Dependencies for rebuilding kitchen tickets. */
export interface RepairDeps {
  world: World;
  pos: PointOfSale;
  orders: OrderStore;
  tickets: TicketStore;
}

/** Rebuilds unreadable tickets from the lines of the checks that have shares of them. */
export function repairTickets(deps: RepairDeps, tx: Tx, ticketIds: readonly string[]): void {
  const holders = holdersOf(deps, ticketIds);
  const kitchen = { stations: deps.pos.stations(), menu: deps.pos.config(), newId: deps.world.random.uuid };
  const lost = [...holders].flatMap((posReference) => {
    const snapshot = deps.orders.get(posReference)?.snapshot;
    if (snapshot === undefined) return [];
    const { tickets, unreadable } = deps.tickets.listByOrder(posReference);
    const parts = partsByLine(tickets.map(({ ticket }) => ticket));
    const lines = linesWithoutTickets(snapshot, (line) => parts.get(lineKey({ posReference, lineId: line.id })) ?? []);
    // A line only contains the id of its last ticket.
    const ticketOf = (named: string | undefined) => unreadable.find((id) => id === named) ?? unreadable[0];
    return [...Map.groupBy(lines, ({ line }) => ticketOf(line.kitchenTicketId))].map(([ticketId, own]) => ({
      ticketId,
      tickets: remakeTickets(snapshot, own, kitchen),
    }));
  });
  for (const [ticketId, rebuilt] of Map.groupBy(lost, (each) => each.ticketId)) {
    const ticket = joined(rebuilt.flatMap(({ tickets }) => tickets));
    if (ticketId === undefined || ticket === undefined) continue;
    ticket.id = ticketId;
    const lineOf = ({ posReference, lineId }: { posReference: string; lineId: string }) =>
      deps.orders.get(posReference)?.snapshot.lines.find(({ id }) => id === lineId);
    settleRemade(ticket, lineOf, { wasOver: deps.tickets.wasOver(ticketId), now: isoTime(tx.now) });
    tx.emit(deps.tickets.save(tx, ticket, HUB_ORIGIN));
  }
}

/** Finds the checks with shares of these tickets, and of other unreadable tickets of these checks, to rebuild all at once. */
function holdersOf(deps: RepairDeps, ticketIds: readonly string[]): Set<string> {
  const holders = new Set<string>();
  const unreadable = new Set(ticketIds);
  for (const ticketId of unreadable) {
    for (const posReference of deps.tickets.listAllHolders(ticketId)) {
      if (holders.has(posReference)) continue;
      holders.add(posReference);
      for (const other of deps.tickets.listByOrder(posReference).unreadable) unreadable.add(other);
    }
  }
  return holders;
}

/** Joins the tickets rebuilt from several checks into one, as it was before. */
function joined([first, ...others]: readonly KitchenTicket[]): KitchenTicket | undefined {
  if (first === undefined) return undefined;
  const lines: TicketLine[] = [];
  for (const line of [first, ...others].flatMap((ticket) => ticket.lines)) {
    const merged = lines.find((each) => dishKey(each) === dishKey(line));
    if (merged !== undefined) merged.shares.push(...line.shares);
    else lines.push({ ...line, lineId: freeLineId(lines, line.lineId) });
  }
  return { ...first, lines };
}
