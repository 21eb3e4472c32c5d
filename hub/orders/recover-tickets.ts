import type { Snapshot, StoredLine, TicketShare } from "@comanda/protocol";
import {
  chargedQuantity,
  createKitchenDraft,
  kitchenChanges,
  type KitchenDraft,
  type KitchenPart,
  remakeTickets,
  sentVoidedQuantityOf,
  setPrepared,
  setVoid,
  setVoidTotal,
  subtract,
  sum,
  takeBackVoid,
  totalOf,
  type LineWithoutTicket,
  linesWithoutTickets,
  voidOf,
  withKitchenFields,
} from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { isoTime } from "../platform/world.ts";
import type { RepairDeps } from "./rulebook/repair-tickets.ts";
import type { OrderStore } from "./store/order-store.ts";
import type { VersionWriter } from "./store/save-version.ts";
import type { OrderWriter } from "./store/order-writer.ts";

export type RecoverTickets = (tx: Tx, snapshot: Snapshot) => ReturnType<typeof recoverTickets>;

interface RecoveryDeps extends RepairDeps {
  orderWriter: OrderWriter;
}

/**
 * Recovers the kitchen tickets of a check whose content comes from a terminal or another file. If its lines say that more was
 * sent than the tickets contain, rebuilds tickets from the lines. Cancels what the content lacks. Only `save` stores anything.
 */
export function recoverTickets(deps: RecoveryDeps, tx: Tx, snapshot: Snapshot) {
  const { posReference } = snapshot;
  const kitchen = { stations: deps.pos.stations(), menu: deps.pos.config(), newId: deps.world.random.uuid };
  const draft = createKitchenDraft((reference) => deps.tickets.listByOrder(reference).tickets, [posReference]);
  for (const each of linesWithoutTickets(snapshot, (line) => draft.parts(posReference, line.id))) {
    takeUnneeded(deps, draft, posReference, each);
  }
  draft.sharesMoved();
  const unknown = linesWithoutTickets(snapshot, (line) => draft.parts(posReference, line.id));
  for (const [ticketId, lines] of Map.groupBy(unknown, ({ line }) => line.kitchenTicketId)) {
    for (const [index, ticket] of remakeTickets(snapshot, lines, kitchen).entries()) {
      const isFree = index === 0 && ticketId !== undefined && deps.tickets.get(ticketId) === null;
      if (isFree) ticket.id = ticketId;
      draft.add(ticket);
    }
  }
  for (const line of snapshot.lines) catchUp(line, draft.parts(posReference, line.id));
  const lines = new Map(snapshot.lines.map((line) => [line.id, line]));
  for (const parts of draft.linesOf(posReference)) {
    const line = lines.get(parts[0]?.share.lineId ?? "");
    setVoidTotal(parts, sentVoidedQuantityOf({ quantity: 0, ...line, sentQuantity: totalOf(parts) }));
    if (line !== undefined) detachVoid(parts, line.sentQuantity ?? 0);
  }
  draft.sharesMoved();
  draft.settle(isoTime(tx.now));
  return {
    /** The lines with their kitchen fields, derived from the tickets. */
    lines: snapshot.lines.map((line) =>
      withKitchenFields(line, draft.parts(posReference, line.id), line.kitchenLineId),
    ),
    save(writer: VersionWriter): void {
      const changes = kitchenChanges({ order: deps.orders.get }, draft, { now: tx.now, skip: [posReference] });
      deps.orderWriter.store(tx, writer, changes);
    },
  };
}

/**
 * Moves the quantity that a line lacks from other checks on the same ticket that have more of the dish than they need: the
 * line was split off from them, or they were merged into this check.
 */
function takeUnneeded(
  { orders, tickets }: Pick<RecoveryDeps, "orders" | "tickets">,
  draft: KitchenDraft,
  posReference: string,
  { line, quantity }: Pick<LineWithoutTicket, "line" | "quantity">,
): void {
  const stored = line.kitchenTicketId === undefined ? null : tickets.get(line.kitchenTicketId);
  if (stored === null) return;
  const { ticket } = stored;
  for (const holder of ticket.lines.flatMap(({ shares }) => shares)) draft.include(holder.posReference);
  let missing = quantity;
  const drafted = draft.tickets().find(({ id }) => id === ticket.id);
  for (const dish of drafted?.lines.filter(({ kitchenLineId }) => kitchenLineId === line.kitchenLineId) ?? []) {
    // Shares that no line has any more (`takenBack`) are used last.
    const others = dish.shares
      .filter((each) => each.posReference !== posReference)
      .toSorted((a, b) => Number(a.takenBack === true) - Number(b.takenBack === true));
    for (const share of others) {
      const moved = Math.min(missing, unneededOf(orders, share));
      if (moved <= 0) continue;
      const remaining = subtract(share.quantity, moved);
      const voided = voidOf(share);
      const preparedQuantity = Math.max(0, subtract(share.preparedQuantity, remaining));
      dish.shares.push({ posReference, lineId: line.id, quantity: moved, preparedQuantity, cancelledQuantity: 0 });
      share.quantity = remaining;
      share.preparedQuantity = subtract(share.preparedQuantity, preparedQuantity);
      // The moved quantity was void on the other check, and is needed again here.
      setVoid(share, Math.max(0, subtract(voided, moved)));
      missing = subtract(missing, moved);
    }
    dish.shares = dish.shares.filter((each) => each.quantity > 0);
  }
}

/** Detaches void quantity beyond what the line has sent: it moved to another check, which may never be recovered. */
function detachVoid(parts: readonly KitchenPart[], sentQuantity: number): void {
  let excess = subtract(totalOf(parts), sentQuantity);
  for (const part of parts.toReversed()) {
    const quantity = Math.min(excess, voidOf(part.share));
    if (quantity <= 0) continue;
    takeBackVoid(part, quantity);
    excess = subtract(excess, quantity);
  }
}

/** Returns how much of a share its check does not need; all of it if the check or the line is gone. */
function unneededOf(orders: OrderStore, { posReference, lineId, quantity, takenBack }: TicketShare): number {
  if (takenBack === true) return quantity;
  const line = orders.get(posReference)?.snapshot.lines.find((each) => each.id === lineId);
  const charged = line === undefined ? 0 : chargedQuantity(line);
  return Math.max(0, subtract(quantity, charged));
}

/** Adds kitchen progress that a line has and its tickets lack. Further progress on the tickets stays. */
function catchUp({ preparedQuantity = 0, kitchenItemStatus }: StoredLine, parts: readonly KitchenPart[]): void {
  if (preparedQuantity > sum(parts.map(({ share }) => share.preparedQuantity))) {
    setPrepared(
      parts.map(({ share }) => share),
      preparedQuantity,
      () => parts,
    );
    for (const { line } of parts) line.isSeen = true;
  }
  if (kitchenItemStatus === "served") for (const { line } of parts) line.isServed = true;
}
