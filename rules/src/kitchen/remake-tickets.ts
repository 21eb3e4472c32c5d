import type { KitchenTicket, Snapshot, StoredLine } from "@comanda/protocol";
import { HUB_ORIGIN } from "@comanda/protocol/origins.ts";
import type { RuleContext } from "../context.ts";
import { subtract, sum } from "../money/amounts.ts";
import { isOnPaper } from "./kitchen-fields.ts";
import { sentVoidedQuantityOf } from "./line-quantities.ts";
import { type LineToSend, makeTickets } from "./make-tickets.ts";
import { lineKey, type Part, partsByLine, setVoidTotal, totalOf } from "./shares.ts";
import { settleTicket } from "./ticket-state.ts";

/** A line with the quantities sent and prepared according to tickets that were lost. */
export interface LineWithoutTicket extends LineToSend {
  prepared: number;
}

/** Returns the lines whose sent quantity exceeds what their tickets account for. */
export function linesWithoutTickets(
  snapshot: Snapshot,
  partsOf: (line: StoredLine) => readonly Part[],
): LineWithoutTicket[] {
  return snapshot.lines.flatMap((line) => {
    const parts = partsOf(line);
    const quantity = subtract(line.sentQuantity ?? 0, sum(parts.map(({ share }) => share.quantity)));
    const prepared = subtract(line.preparedQuantity ?? 0, sum(parts.map(({ share }) => share.preparedQuantity)));
    return quantity > 0 ? [{ line, quantity, prepared: Math.min(quantity, Math.max(0, prepared)) }] : [];
  });
}

/** Recreates the lost tickets of such lines, one per station. A ticket is on paper if all its lines were. */
export function remakeTickets(
  snapshot: Snapshot,
  lines: readonly LineWithoutTicket[],
  { stations, menu, newId }: Pick<RuleContext, "stations" | "menu" | "newId">,
): KitchenTicket[] {
  const tickets = makeTickets(snapshot, lines, {
    sentAt: sentAtOf(lines.map(({ line }) => line)) ?? snapshot.updatedAt,
    sentBy: snapshot.staffName ?? HUB_ORIGIN,
    terminalId: HUB_ORIGIN,
    lateSince: undefined,
    stations,
    menu,
    soldOut: new Set(),
    newId,
  });
  const sent = new Map(lines.map((each) => [each.line.id, each]));
  for (const ticket of tickets) {
    for (const { lineId, shares } of ticket.lines) {
      for (const share of shares) share.preparedQuantity = sent.get(lineId)?.prepared ?? 0;
    }
    if (ticket.lines.every(({ lineId }) => isOnPaper(sent.get(lineId)?.line ?? {}))) ticket.onPaper = true;
  }
  return tickets;
}

function sentAtOf(lines: readonly StoredLine[]): string | undefined {
  return lines.flatMap(({ kitchenSentAt }) => kitchenSentAt ?? []).sort()[0];
}

/**
 * Derives the void quantities of a recreated ticket from the lines of the checks that hold it (`lineOf`). With `wasOver`, the
 * ticket does not return to the kitchen's lists. Changes it in place.
 */
export function settleRemade(
  ticket: KitchenTicket,
  lineOf: (share: { posReference: string; lineId: string }) => StoredLine | undefined,
  { wasOver, now }: { wasOver: boolean; now: string },
): void {
  for (const parts of partsByLine([ticket]).values()) {
    const line = parts[0] === undefined ? undefined : lineOf(parts[0].share);
    setVoidTotal(parts, sentVoidedQuantityOf({ ...(line ?? { quantity: 0 }), sentQuantity: totalOf(parts) }));
    for (const part of parts) {
      part.line.isSeen = wasOver;
      part.line.isServed = wasOver || line?.kitchenItemStatus === "served";
    }
  }
  settleTicket(ticket, null, now);
  if (!wasOver || ticket.isOver) return;
  ticket.expired = true;
  settleTicket(ticket, null, now);
}

/**
 * Returns tickets for sent lines of a check that are on none of the `tickets`, for callers that keep no finished ones.
 * Each ticket has the id that its lines name, so that those lines stay unchanged.
 */
export function ticketsOfLines(
  snapshot: Snapshot,
  tickets: readonly KitchenTicket[],
  context: Pick<RuleContext, "stations" | "menu">,
): KitchenTicket[] {
  const { posReference } = snapshot;
  const parts = partsByLine(tickets);
  const lines = linesWithoutTickets(snapshot, ({ id }) => parts.get(lineKey({ posReference, lineId: id })) ?? []);
  if (lines.length === 0) return [];
  const ids = new Set(tickets.map(({ id }) => id));
  const lineOf = ({ lineId }: { lineId: string }) => snapshot.lines.find(({ id }) => id === lineId);
  return [...Map.groupBy(lines, ({ line }) => line.kitchenTicketId ?? "")].flatMap(([named, own]) => {
    const id = named === "" || ids.has(named) ? `${posReference} earlier ${named}` : named;
    const tickets = remakeTickets(snapshot, own, { ...context, newId: () => id });
    const [ticket] = tickets;
    if (ticket === undefined) return [];
    const { onPaper: _onPaper, ...first } = ticket;
    const whole: KitchenTicket = { ...first, lines: tickets.flatMap((each) => each.lines) };
    for (const line of whole.lines) {
      const { kitchenLineId = id, kitchenItemStatus } = lineOf(line) ?? {};
      line.kitchenLineId = kitchenLineId;
      if (kitchenItemStatus !== undefined && !isOnPaper({ kitchenItemStatus }))
        line.kitchenItemStatus = kitchenItemStatus;
    }
    if (tickets.every(({ onPaper }) => onPaper === true)) whole.onPaper = true;
    settleRemade(whole, lineOf, { wasOver: true, now: whole.sentAt });
    return [whole];
  });
}
