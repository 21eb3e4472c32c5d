import type { Snapshot } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { createKitchenDraft } from "../kitchen/kitchen-draft.ts";
import { settleCancelled, withKitchenFields } from "../kitchen/ticket-rules.ts";
import { saveTickets } from "./kitchen-write.ts";
import type { OrderDeps } from "./order-deps.ts";
import { remakeTickets, unknownLines } from "./remake-tickets.ts";
import type { saveVersion } from "./save-version.ts";

/**
 * What the kitchen has of a check whose content comes from elsewhere: where its lines say that more was sent than the tickets
 * know, the tickets are made anew from the lines. What the content lacks is cancelled. Nothing is stored before `save`.
 */
export function recoverTickets(deps: OrderDeps, tx: Tx, snapshot: Snapshot) {
  const { posReference } = snapshot;
  const draft = createKitchenDraft(deps.tickets, [posReference]);
  const unknown = unknownLines(snapshot, (line) => draft.parts(posReference, line.id));
  for (const [ticketId, lines] of Map.groupBy(unknown, ({ line }) => line.kitchenTicketId)) {
    for (const [index, ticket] of remakeTickets(deps, snapshot, lines).entries()) {
      const isFree = index === 0 && ticketId !== undefined && deps.tickets.get(ticketId) === null;
      if (isFree) ticket.id = ticketId;
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
