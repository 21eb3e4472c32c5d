import { HUB_ORIGIN, type KitchenTicket, type Snapshot, type StoredLine } from "@comanda/protocol";
import { type LineToSend, makeTickets, type KitchenPart, subtract, sum } from "@comanda/rules";
import type { OrderDeps } from "./order-deps.ts";

/** A line with how much of it was sent, and prepared of that, in tickets that nobody has. */
export interface UnknownLine extends LineToSend {
  prepared: number;
}

/** Where the lines of a check say that more was sent than its tickets know. */
export function unknownLines(snapshot: Snapshot, partsOf: (line: StoredLine) => readonly KitchenPart[]): UnknownLine[] {
  return snapshot.lines.flatMap((line) => {
    const parts = partsOf(line);
    const quantity = subtract(line.sentQuantity ?? 0, sum(parts.map(({ share }) => share.quantity)));
    const prepared = subtract(line.preparedQuantity ?? 0, sum(parts.map(({ share }) => share.preparedQuantity)));
    return quantity > 0 ? [{ line, quantity, prepared: Math.min(quantity, Math.max(0, prepared)) }] : [];
  });
}

/** Tickets for what nobody has a ticket of, one for each station. */
export function remakeTickets(
  deps: Pick<OrderDeps, "stations" | "posConfig" | "world">,
  snapshot: Snapshot,
  lines: readonly UnknownLine[],
): KitchenTicket[] {
  const tickets = makeTickets(snapshot, lines, {
    sentAt: sentAtOf(lines.map(({ line }) => line)) ?? snapshot.updatedAt,
    sentBy: snapshot.staffName ?? HUB_ORIGIN,
    terminalId: HUB_ORIGIN,
    lateSince: undefined,
    stations: deps.stations(),
    menu: deps.posConfig(),
    soldOut: new Set(),
    newId: deps.world.random.uuid,
  });
  for (const { lineId, shares } of tickets.flatMap((ticket) => ticket.lines)) {
    const prepared = lines.find(({ line }) => line.id === lineId)?.prepared ?? 0;
    for (const share of shares) share.preparedQuantity = prepared;
  }
  return tickets;
}

function sentAtOf(lines: readonly StoredLine[]): string | undefined {
  return lines.flatMap(({ kitchenSentAt }) => kitchenSentAt ?? []).sort()[0];
}
