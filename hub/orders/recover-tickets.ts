import { HUB_ORIGIN, type Snapshot, type StoredLine } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { createKitchenDraft } from "../kitchen/kitchen-draft.ts";
import { makeTickets } from "../kitchen/make-tickets.ts";
import { settleCancelled, withKitchenFields } from "../kitchen/ticket-rules.ts";
import { subtract, sum } from "../platform/money.ts";
import { saveTickets } from "./kitchen-write.ts";
import type { OrderDeps } from "./order-deps.ts";
import type { saveVersion } from "./save-version.ts";

/**
 * What the kitchen has of a check whose content comes from elsewhere: where its lines say that more was sent than the tickets
 * know, the tickets are made anew from the lines. What the content lacks is cancelled. Nothing is stored before `save`.
 */
export function recoverTickets(deps: OrderDeps, tx: Tx, snapshot: Snapshot) {
  const { posReference } = snapshot;
  const draft = createKitchenDraft(deps.tickets, [posReference]);
  const unknown = snapshot.lines.flatMap((line) => {
    const parts = draft.parts(posReference, line.id);
    const quantity = subtract(line.sentQuantity ?? 0, sum(parts.map(({ share }) => share.quantity)));
    const prepared = subtract(line.preparedQuantity ?? 0, sum(parts.map(({ share }) => share.preparedQuantity)));
    return quantity > 0 ? [{ line, quantity, prepared: Math.min(quantity, Math.max(0, prepared)) }] : [];
  });
  for (const [ticketId, lines] of Map.groupBy(unknown, ({ line }) => line.kitchenTicketId)) {
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
    for (const [index, ticket] of tickets.entries()) {
      const isFree = index === 0 && ticketId !== undefined && deps.tickets.get(ticketId) === null;
      if (isFree) ticket.id = ticketId;
      for (const { lineId, shares } of ticket.lines) {
        const prepared = lines.find(({ line }) => line.id === lineId)?.prepared ?? 0;
        for (const share of shares) share.preparedQuantity = prepared;
      }
      draft.add(ticket);
    }
  }
  const lines = new Map(snapshot.lines.map((line) => [line.id, line]));
  for (const parts of draft.linesOf(posReference)) {
    settleCancelled(parts, lines.get(parts[0]?.share.lineId ?? "") ?? null);
  }
  draft.settle(tx);
  return {
    /** The lines with the kitchen fields that follow from the tickets. */
    lines: snapshot.lines.map((line) =>
      withKitchenFields(line, draft.parts(posReference, line.id), line.kitchenLineId),
    ),
    save: (writer: Parameters<typeof saveVersion>[2]): void =>
      void saveTickets(deps, tx, draft, { writer, kind: "bumped", known: [posReference] }),
  };
}

function sentAtOf(lines: readonly StoredLine[]): string | undefined {
  return lines.flatMap(({ kitchenSentAt }) => kitchenSentAt ?? []).sort()[0];
}
