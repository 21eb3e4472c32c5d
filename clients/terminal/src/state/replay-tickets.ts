import type { ItemState, KitchenTicket, TicketLine, TicketShare } from "@comanda/protocol";
import type { Intent, OutboxEntry } from "../outbox/outbox-entry.ts";

type Seen = Extract<Intent, { type: "KITCHEN_SEEN" }>;
type Bump = Extract<Intent, { type: "KITCHEN_BUMP" }>;
type Served = Extract<Intent, { type: "KITCHEN_SERVED" }>;

/** The tickets as the user sees them: the hub's, with what this device did and the hub has not confirmed yet. */
export function replayTickets(tickets: Iterable<KitchenTicket>, entries: readonly OutboxEntry[]): KitchenTicket[] {
  let shown = [...tickets];
  for (const { intent, queuedAt, refusal } of entries) {
    if (refusal !== null) continue;
    if (intent.type === "KITCHEN_SEEN")
      shown = changeOne(shown, intent, (ticket) => markSeen(ticket, intent, queuedAt));
    if (intent.type === "KITCHEN_SERVED") shown = changeOne(shown, intent, (ticket) => markServed(ticket, intent));
    if (intent.type === "KITCHEN_BUMP") shown = bump(shown, intent);
  }
  return shown;
}

function changeOne(
  tickets: KitchenTicket[],
  { kitchenTicketId }: { kitchenTicketId: string },
  change: (ticket: KitchenTicket) => KitchenTicket,
): KitchenTicket[] {
  return tickets.map((ticket) => (ticket.id === kitchenTicketId ? change(ticket) : ticket));
}

function markSeen(ticket: KitchenTicket, { stationId }: Seen, at: string): KitchenTicket {
  const isNews = ticket.seen.every((each) => each.stationId !== stationId);
  const seen = isNews ? [...ticket.seen, { stationId, at }] : ticket.seen;
  return withStates({ ...ticket, seen, lines: ticket.lines.map((line) => ({ ...line, isSeen: true })) });
}

function markServed(ticket: KitchenTicket, { lineIds }: Served): KitchenTicket {
  const lines = ticket.lines.map((line) => {
    const isMeant = lineIds === undefined ? line.state === "ready" : lineIds.some((id) => isLine(line, id));
    return isMeant && line.state !== "cancelled" ? { ...line, isServed: true } : line;
  });
  return withStates({ ...ticket, lines });
}

/** Under a ticket over all shares of its line; under a check over that check's shares. The oldest are ready first. */
function bump(tickets: KitchenTicket[], intent: Bump): KitchenTicket[] {
  const { posReference, kitchenTicketId, lineId, preparedQuantity, kitchenItemStatus } = intent;
  let left = preparedQuantity;
  const isMeant = (ticket: KitchenTicket, line: TicketLine, share: TicketShare) =>
    share.takenBack !== true &&
    (kitchenTicketId === undefined
      ? share.posReference === posReference && share.lineId === lineId
      : ticket.id === kitchenTicketId && isLine(line, lineId));
  const prepare = (share: TicketShare): TicketShare => {
    const prepared = Math.min(left, share.quantity - share.cancelledQuantity);
    left -= prepared;
    return { ...share, preparedQuantity: prepared };
  };
  const bumpLine = (ticket: KitchenTicket, line: TicketLine): TicketLine => {
    if (!line.shares.some((share) => isMeant(ticket, line, share))) return line;
    const shares = line.shares.map((share) => (isMeant(ticket, line, share) ? prepare(share) : share));
    const prepared = shares.reduce((sum, share) => sum + share.preparedQuantity, 0);
    return {
      ...line,
      shares,
      preparedQuantity: prepared,
      // A recall makes it work again.
      isServed: line.isServed && prepared >= line.preparedQuantity,
      ...(kitchenItemStatus === undefined ? {} : { kitchenItemStatus }),
    };
  };
  const oldestFirst = tickets.toSorted((one, other) => (one.sentAt < other.sentAt ? -1 : 1));
  const changed = new Map(
    oldestFirst.map((ticket) => [ticket.id, { ...ticket, lines: ticket.lines.map((line) => bumpLine(ticket, line)) }]),
  );
  return tickets.map((ticket) => withStates(changed.get(ticket.id) ?? ticket));
}

function isLine(line: TicketLine, lineId: string): boolean {
  return line.lineId === lineId || line.shares.some((share) => share.lineId === lineId);
}

/** The states as the hub will work them out. */
function withStates(ticket: KitchenTicket): KitchenTicket {
  const lines = ticket.lines.map((line): TicketLine => ({ ...line, state: stateOf(line) }));
  return { ...ticket, lines, isOver: ticket.expired === true || lines.every((line) => isDone(line, ticket)) };
}

function stateOf(line: TicketLine): TicketLine["state"] {
  const active = line.quantity - line.cancelledQuantity;
  if (active <= 0) return "cancelled";
  if (line.preparedQuantity >= active) return line.isServed ? "served" : "ready";
  const isStarted = line.kitchenItemStatus === "started" || line.kitchenItemStatus === "preparing";
  if (line.preparedQuantity > 0 || isStarted) return "started";
  return line.isSeen ? "seen" : "unseen";
}

/** What was cancelled must have been seen. */
function isDone({ state, cancelledQuantity, isSeen }: TicketLine, { serving }: KitchenTicket): boolean {
  if (cancelledQuantity > 0 && !isSeen) return false;
  return state === "cancelled" || state === "served" || (state === "ready" && !serving);
}

/** What can be sold, as the user sees it at `now`: what has come to its end is available again. */
export function replayItemStates(
  states: Iterable<ItemState>,
  entries: readonly OutboxEntry[],
  now: number,
): ItemState[] {
  const shown = new Map([...states].map((state) => [String(state.productId), state]));
  for (const { intent, queuedAt, refusal } of entries) {
    if (refusal !== null || intent.type !== "ITEM_STATE_SET") continue;
    const { productId, state, left = null, until = null } = intent;
    shown.set(String(productId), { productId, state, left, until, updatedAt: queuedAt });
  }
  return [...shown.values()].filter(
    ({ state, until }) => state !== "available" && (until === null || Date.parse(until) > now),
  );
}
