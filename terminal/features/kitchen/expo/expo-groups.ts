import type { CheckAddress, KitchenTicket, TicketLine } from "@comanda/protocol";
import { isOnItsWay, placesOf, subtract } from "@comanda/rules";

/** A dish of one check at the pass: how much is ready or missing, and how much was voided after it was cooked. */
export interface ExpoLine {
  ticket: KitchenTicket;
  line: TicketLine;
  quantity: number;
  voided: number;
}

/** The dishes of one check at the pass. */
export interface ExpoGroup {
  /** The check's reference. */
  id: string;
  /** When and by whom its oldest dish was sent; ISO 8601. */
  sentAt: string;
  sentBy: string;
  /** Where it is served. */
  address: CheckAddress;
  /** Cooked and not yet taken. */
  ready: readonly ExpoLine[];
  missing: readonly ExpoLine[];
}

/** Returns the dishes of each check that are not yet served, oldest check first. */
export function expoGroups(tickets: readonly KitchenTicket[]): ExpoGroup[] {
  const all = tickets.toSorted((one, other) => Date.parse(one.sentAt) - Date.parse(other.sentAt));
  const waiting = all.flatMap((ticket) =>
    ticket.lines.flatMap((line) =>
      placesOf(ticket, line)
        .filter(({ isServed }) => !isServed)
        .map((place) => ({ ticket, line, ...place })),
    ),
  );
  return [...Map.groupBy(waiting, ({ address }) => address.posReference)].flatMap(([id, group]) => {
    const [first] = group;
    if (first === undefined) return [];
    const { sentAt, sentBy } = first.ticket;
    const lines = group.map(({ ticket, line, quantity, left, voided }) => ({
      isReady: left === 0,
      about: { ticket, line, quantity: left === 0 ? subtract(quantity, voided) : left, voided },
    }));
    const only = (isReady: boolean) => lines.filter((each) => each.isReady === isReady).map(({ about }) => about);
    return [{ id, sentAt, sentBy, address: first.address, ready: only(true), missing: only(false) }];
  });
}

/** Returns the ids of groups that share their address with another one, such as successive parties at a table. */
export function sameAddressed(groups: readonly ExpoGroup[]): ReadonlySet<string> {
  const alike = Map.groupBy(groups, ({ address }) => JSON.stringify({ ...address, posReference: "", notes: "" }));
  return new Set([...alike.values()].flatMap((own) => (own.length > 1 ? own.map(({ id }) => id) : [])));
}

/** Whether a group that left the pass was served; otherwise it went back to the kitchen, or to another check. */
export function wasServed({ id, ready }: ExpoGroup, tickets: readonly KitchenTicket[], now: number): boolean {
  return ready.some(({ ticket: { id: ticketId }, line: { lineId } }) => {
    const ticket = tickets.find((each) => each.id === ticketId);
    const line = ticket?.lines.find((each) => each.lineId === lineId);
    if (ticket === undefined || line === undefined) return false;
    const place = placesOf(ticket, line).find(({ address }) => address.posReference === id);
    return place !== undefined && (place.isServed || (place.left === 0 && !isOnItsWay(ticket, now)));
  });
}

/**
 * Whether everything still being made for a group has priority, and the tickets that the next tap on its priority changes.
 * Undoing the tap leaves the other tickets as they were.
 */
export function priorityOf({ missing }: Pick<ExpoGroup, "missing">): { isFirst: boolean; toChange: KitchenTicket[] } {
  const working = [...new Set(missing.map(({ ticket }) => ticket))];
  const isFirst = working.length > 0 && working.every(({ priority }) => priority === true);
  return { isFirst, toChange: working.filter(({ priority = false }) => priority === isFirst) };
}
