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
const LOOK_EVERY_MS = 1_000;

interface Watched {
  ticket: KitchenTicket;
  since: number;
  /** How far the cook has brought the ticket. If the ticket is further, a person has taken it. */
  rank: number;
  isPersons: boolean;
}

/**
 * A kitchen that works by itself: tickets are seen, started and ready after a while, so that a waiter can practise the whole
 * life of an order alone. Tickets that a person at a kitchen screen has taken are left to that person.
 */
export async function startPracticeCook(world: World, place: { port: number; token: string }, onActivity: () => void) {
  const watched = new Map<string, Watched>();
  const loop = createLoop(world, "practice kitchen", LOOK_EVERY_MS, () =>
    // A person may have changed a ticket at the same moment. After a refusal it is read again.
    look().catch((error: unknown) => world.log.debug({ err: error }, "the practice kitchen was refused")),
  );

  function note(ticket: KitchenTicket): void {
    const known = watched.get(ticket.id);
    if (ticket.isOver) return void watched.delete(ticket.id);
    const entry = known ?? { ticket, since: world.clock.monotonic(), rank: 0, isPersons: false };
    watched.set(ticket.id, { ...entry, ticket, isPersons: entry.isPersons || rankOf(ticket) > entry.rank });
  }

  function hear(message: HubMessage): void {
    if (message.type === "SYNC") message.tickets?.forEach(note);
    if (message.type === "TICKET_CHANGED") note(message.ticket);
    if (message.type !== "HEARTBEAT_ACK" && message.type !== "HUB_STATUS") onActivity();
  }

  const terminal = await connectPracticeTerminal(world, { ...place, deviceId: "practice-kitchen" }, hear);

  async function bring(entry: Watched, rank: number): Promise<void> {
    const { ticket } = entry;
    entry.rank = rank;
    const kitchenTicketId = ticket.id;
    if (rank === 1) return terminal.change(seen(ticket));
    for (const { lineId, ...line } of ticket.lines.filter(isToMake)) {
      const progress =
        rank === 2
          ? { preparedQuantity: line.preparedQuantity, kitchenItemStatus: "started" }
          : { preparedQuantity: activeQuantity(line) };
      await terminal.change({ type: "KITCHEN_BUMP", kitchenTicketId, lineId, ...progress });
    }
  }

  async function look(): Promise<void> {
    for (const entry of watched.values()) {
      if (entry.isPersons) continue;
      const age = world.clock.monotonic() - entry.since;
      const due = steps.find(({ rank, afterMs }) => rank > entry.rank && age >= afterMs);
      if (due !== undefined) await bring(entry, due.rank);
      // A cancellation stays on the screen until it is marked as seen.
      else if (entry.rank > 0 && entry.ticket.lines.some(isCancelledUnseen)) await terminal.change(seen(entry.ticket));
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

function seen({ id, stationId }: KitchenTicket) {
  return { type: "KITCHEN_SEEN", kitchenTicketId: id, stationId: stationId ?? "kitchen" };
}

function isToMake({ state }: TicketLine): boolean {
  return state === "unseen" || state === "seen" || state === "started";
}

function isCancelledUnseen({ cancelledQuantity, isSeen }: TicketLine): boolean {
  return cancelledQuantity > 0 && !isSeen;
}

/** How far a ticket is: 0 not seen, 1 seen, 2 started, 3 ready. */
function rankOf({ lines, entry: marks }: KitchenTicket): number {
  const ranks = { unseen: 0, seen: 1, started: 2, ready: 3, served: 3, cancelled: 0 } as const;
  return Math.max(marks.length > 0 ? 1 : 0, ...lines.map(({ state }) => ranks[state]));
}
