import type { RefusedToken } from "@comanda/protocol";
import { ordersOf, type Actor, type OutboxEntry } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Refuse } from "../sending/refuse.ts";
import type { AwaitedToken, Slot } from "../queue/slot.ts";

/** Somebody whose token is no longer valid, while what they did waits to be sent. */
export interface AwaitedPin {
  user: Actor["user"];
  /** Their waiting mutations, those that wait behind others included. */
  count: number;
  /** How many of them the hub has kept, for a manager to decide on there. */
  kept: number;
  /** Which token the hub refused first, and why; null where it did not say. */
  refusedToken: RefusedToken | null;
  /** When the first was made (ISO 8601, this device's clock). */
  oldestAt: string;
  orders: readonly string[];
}

export type AwaitedPins = ReturnType<typeof createAwaitedPins>;

/**
 * What the hub does not take under its actor's token: it waits for the PIN of its author, or for somebody who answers
 * for it.
 */
export function createAwaitedPins(deps: {
  queue: Pick<OutboxQueue, "slots" | "awaitToken" | "nextPlace">;
  keep: OutboxWrites["keep"];
  now: () => string;
  refuse: Refuse;
  /** Sends what may go now. */
  pump: () => void;
  /** Somebody has to enter their PIN again, or has done so. */
  changed: () => void;
}) {
  const { queue, keep, now, refuse, pump, changed } = deps;
  /** The newest token for what each person did, and up to which place in the queue it is for that. */
  const newest = new Map<string, { actor: Actor; lastPlace: number }>();

  return {
    /** Whose PIN is needed again; the longest waiting first. */
    list(): AwaitedPin[] {
      const ids = new Set(queue.slots().flatMap((slot) => (slot.awaitedToken === null ? [] : userIdOf(slot.entry))));
      return [...ids].flatMap((userId) => describe(waitingOf(userId)));
    },
    /** It belongs to `actor`, who enters the PIN once more, if this device has no newer token for it. */
    hold(slot: Slot, actor: Actor, awaited: AwaitedToken): void {
      const known = newest.get(userIdOf(slot.entry));
      const isNewer = known !== undefined && known.actor.token !== actor.token && slot.entry.place <= known.lastPlace;
      if (isNewer) return renew(slot, known.actor);
      queue.awaitToken(slot, awaited);
      changed();
    },
    answered,
    /** A manager may have decided on what the hub has kept while this device was away: it is sent once more, for the answer. */
    askAgain(): void {
      for (const slot of queue.slots()) if (slot.awaitedToken?.isKept === true) answered(slot);
    },
    /** A newer token of somebody: what waits for it is sent, and so is whatever the hub refuses under an older one. */
    renewActor: (actor: Actor): void => sendUnder(actor.user.id, actor, Infinity),
    /** What `userId` did until now, and the hub does not take as theirs, is sent under somebody else who answers for it. */
    answerFor: (userId: Actor["user"]["id"], actor: Actor): void => sendUnder(userId, actor, queue.nextPlace() - 1),
    /** That person will not come: what waits for their PIN becomes conflicts, to be decided one by one. */
    giveUp(userId: Actor["user"]["id"]): void {
      for (const { slot, awaited } of awaitingOf(userId)) {
        const { refusedToken } = awaited;
        const details = refusedToken === null ? {} : { refusedToken };
        refuse(slot, { errorCode: "ACTOR_REFUSED", error: "the PIN is no longer valid", collisions: [], ...details });
      }
      changed();
    },
  };

  /** The hub's answer came before the PIN. */
  function answered(slot: Slot): void {
    if (slot.awaitedToken === null) return;
    slot.awaitedToken = null;
    changed();
  }

  function sendUnder(userId: Actor["user"]["id"], actor: Actor, lastPlace: number): void {
    newest.set(String(userId), { actor, lastPlace });
    const awaiting = awaitingOf(userId);
    for (const { slot } of awaiting) {
      slot.awaitedToken = null;
      slot.isRenewed = true;
      renew(slot, actor);
    }
    if (awaiting.length === 0) return;
    changed();
    pump();
  }

  function renew(slot: Slot, actor: Actor): void {
    const { entry } = slot;
    entry.actor = actor;
    // A token counts for nothing from before it was given: its person answers for it now.
    entry.queuedAt = now();
    // Neither is part of what the hub remembers a mutation by: it may go on under its id.
    if (entry.message !== null) entry.message = { ...entry.message, queuedAt: entry.queuedAt, actor: actor.token };
    keep(slot);
  }

  function awaitingOf(userId: Actor["user"]["id"]) {
    return queue.slots().flatMap((slot) => {
      const { entry, awaitedToken: awaited } = slot;
      return awaited !== null && userIdOf(entry) === String(userId) ? [{ slot, awaited }] : [];
    });
  }

  function waitingOf(userId: string): Slot[] {
    return queue
      .slots()
      .filter(({ entry, answer }) => answer === null && entry.refusal === null && userIdOf(entry) === userId);
  }
}

function describe(waiting: readonly Slot[]): AwaitedPin[] {
  const [first] = waiting;
  if (first?.entry.actor === undefined) return [];
  const { actor, queuedAt: oldestAt } = first.entry;
  const awaited = waiting.flatMap(({ awaitedToken }) => awaitedToken ?? []);
  return [
    {
      user: actor.user,
      count: waiting.length,
      kept: awaited.filter(({ isKept }) => isKept).length,
      refusedToken: awaited[0]?.refusedToken ?? null,
      oldestAt,
      orders: [...new Set(waiting.flatMap(({ entry }) => ordersOf(entry.intent)))],
    },
  ];
}

function userIdOf({ actor }: OutboxEntry): string {
  return String(actor?.user.id);
}
