import type { HubMessage, KitchenTicket, TicketLine } from "@comanda/protocol";
import { activeQuantity } from "@comanda/rules";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import { connectPracticeTerminal } from "./practice-terminal.ts";

/** How long after its arrival a ticket reaches each rank, in ms. */
const steps = [
  { rank: 1, afterMs: 3_000 },
  { rank: 2, afterMs: 6_000 },
  { rank: 3, afterMs: 12_000 },
] as const;
const POLL_MS = 1_000;

interface Watched {
  ticket: KitchenTicket;
  since: number;
  /** How far the cook has brought the ticket. If the ticket is further, a person has taken it. */
  rank: number;
  isTakenOver: boolean;
}

/**
 * A kitchen that works by itself: tickets are seen, started and ready after a while, so that a waiter can practise the whole
 * life of an order alone. Tickets that a person at a kitchen screen has taken are left to that person.
 */
export async function startPracticeCook(world: World, place: { port: number; token: string }, onActivity: () => void) {
  const watched = new Map<string, Watched>();
  const loop = createLoop(world, "practice kitchen", POLL_MS, () =>
    // A person may have changed a ticket at the same moment. After a refusal it is read again.
    work().catch((error: unknown) => world.log.debug({ err: error }, "the practice kitchen was refused")),
  );

  function note(ticket: KitchenTicket): void {
    const previous = watched.get(ticket.id);
    if (ticket.isOver) return void watched.delete(ticket.id);
    const entry = previous ?? { ticket, since: world.clock.monotonic(), rank: 0, isTakenOver: false };
    watched.set(ticket.id, { ...entry, ticket, isTakenOver: entry.isTakenOver || rankOf(ticket) > entry.rank });
  }

  function receive(message: HubMessage): void {
    if (message.type === "SYNC") message.tickets?.forEach(note);
    if (message.type === "TICKET_CHANGED") note(message.ticket);
    if (message.type !== "HEARTBEAT_ACK" && message.type !== "HUB_STATUS") onActivity();
  }

  const terminal = await connectPracticeTerminal(world, { ...place, deviceId: "practice-kitchen" }, receive);

  async function advance(entry: Watched, rank: number): Promise<void> {
    const { ticket } = entry;
    entry.rank = rank;
    const kitchenTicketId = ticket.id;
    if (rank === 1) return terminal.change(seenMutation(ticket));
    for (const { lineId, ...line } of ticket.lines.filter(isUnfinished)) {
      const progress =
        rank === 2
          ? { preparedQuantity: line.preparedQuantity, kitchenItemStatus: "started" }
          : { preparedQuantity: activeQuantity(line) };
      await terminal.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId, ...progress });
    }
  }

  async function work(): Promise<void> {
    for (const entry of watched.values()) {
      if (entry.isTakenOver) continue;
      const age = world.clock.monotonic() - entry.since;
      const due = steps.find(({ rank, afterMs }) => rank > entry.rank && age >= afterMs);
      if (due !== undefined) await advance(entry, due.rank);
      // A cancellation stays on the screen until it is marked as seen.
      else if (entry.rank > 0 && entry.ticket.lines.some(isUnseenCancellation))
        await terminal.change(seenMutation(entry.ticket));
    }
  }

  loop.start();

  return {
    stop(): void {
      void loop.stop();
      terminal.close();
    },
  };
}

function seenMutation({ id, stationId }: KitchenTicket) {
  return { type: "KITCHEN_SEEN", kitchenTicketId: id, stationId: stationId ?? "kitchen" };
}

function isUnfinished({ state }: TicketLine): boolean {
  return state === "unseen" || state === "seen" || state === "started";
}

function isUnseenCancellation({ cancelledQuantity, isSeen }: TicketLine): boolean {
  return cancelledQuantity > 0 && !isSeen;
}

/** How far a ticket is: 0 not seen, 1 seen, 2 started, 3 ready. */
function rankOf({ lines, seen: marks }: KitchenTicket): number {
  const ranks = { unseen: 0, seen: 1, started: 2, ready: 3, served: 3, cancelled: 0 } as const;
  return Math.max(marks.length > 0 ? 1 : 0, ...lines.map(({ state }) => ranks[state]));
}
