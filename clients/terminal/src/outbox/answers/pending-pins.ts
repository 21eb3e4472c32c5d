import type { RefusedToken } from "@comanda/protocol";
import { ordersOf, type Actor, type OutboxEntry } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Refuse } from "../sending/refuse.ts";
import type { PendingToken, Slot } from "../queue/slot.ts";

/** A person whose token is no longer valid, with mutations waiting to be sent. */
export interface PendingPin {
  user: Actor["user"];
  /** Number of the person's unsent mutations, including those queued behind others. */
  count: number;
  /** How many of them the hub keeps for a manager's decision. */
  kept: number;
  /** The token that the hub refused first, and why; null if it did not say. */
  refusedToken: RefusedToken | null;
  /** When the first was queued (ISO 8601, this device's clock). */
  oldestAt: string;
  orders: readonly string[];
}

export type PendingPins = ReturnType<typeof createPendingPins>;

/**
 * Holds mutations that the hub refuses because of their actor's token, until that person enters the PIN or another person
 * answers for them.
 */
export function createPendingPins(deps: {
  queue: Pick<OutboxQueue, "slots" | "awaitToken" | "nextPlace">;
  keep: OutboxWrites["keep"];
  now: () => string;
  refuse: Refuse;
  /** Sends what can be sent now. */
  pump: () => void;
  /** Called when the list of pending PINs changes. */
  changed: () => void;
}) {
  const { queue, keep, now, refuse, pump, changed } = deps;
  /** The newest token for the mutations of each person, and the last place in the queue that it covers. */
  const newest = new Map<string, { actor: Actor; lastPlace: number }>();

  return {
    /** People who have to enter their PIN again, the longest waiting first. */
    list(): PendingPin[] {
      const ids = new Set(queue.slots().flatMap((slot) => (slot.pendingToken === null ? [] : userIdOf(slot.entry))));
      return [...ids].flatMap((userId) => describe(waitingOf(userId)));
    },
    /** Holds a mutation until `actor` enters the PIN, or sends it at once if this device has a newer token for it. */
    hold(slot: Slot, actor: Actor, pending: PendingToken): void {
      const newer = newest.get(userIdOf(slot.entry));
      const isNewer = newer !== undefined && newer.actor.token !== actor.token && slot.entry.place <= newer.lastPlace;
      if (isNewer) return renew(slot, newer.actor);
      queue.awaitToken(slot, pending);
      changed();
    },
    answered,
    /** Sends mutations that the hub keeps again, because a manager may have decided on them while this device was away. */
    askAgain(): void {
      for (const slot of queue.slots()) if (slot.pendingToken?.isKept === true) answered(slot);
    },
    /** Sends what waits for this person's token with the new one, and from now on all that is refused for an older one. */
    renewActor: (actor: Actor): void => sendUnder(actor.user.id, actor, Infinity),
    /** Sends what `userId` did until now, and was refused for, under another person who answers for it. */
    answerFor: (userId: Actor["user"]["id"], actor: Actor): void => sendUnder(userId, actor, queue.nextPlace() - 1),
    /** Turns the mutations that wait for this person's PIN into conflicts, which are decided one by one. */
    giveUp(userId: Actor["user"]["id"]): void {
      for (const { slot, pending } of awaitingOf(userId)) {
        const { refusedToken } = pending;
        const details = refusedToken === null ? {} : { refusedToken };
        refuse(slot, { errorCode: "ACTOR_REFUSED", error: "the PIN is no longer valid", collisions: [], ...details });
      }
      changed();
    },
  };

  /** Ends the wait: the hub answered before the PIN was entered. */
  function answered(slot: Slot): void {
    if (slot.pendingToken === null) return;
    slot.pendingToken = null;
    changed();
  }

  function sendUnder(userId: Actor["user"]["id"], actor: Actor, lastPlace: number): void {
    newest.set(String(userId), { actor, lastPlace });
    const awaiting = awaitingOf(userId);
    for (const { slot } of awaiting) {
      slot.pendingToken = null;
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
    // The hub rejects actions from before the token was issued. Its person now answers for them.
    entry.queuedAt = now();
    // The hub does not identify a mutation by these fields, so it keeps its id.
    if (entry.message !== null) entry.message = { ...entry.message, queuedAt: entry.queuedAt, actor: actor.token };
    keep(slot);
  }

  function awaitingOf(userId: Actor["user"]["id"]) {
    return queue.slots().flatMap((slot) => {
      const { entry, pendingToken: pending } = slot;
      return pending !== null && userIdOf(entry) === String(userId) ? [{ slot, pending }] : [];
    });
  }

  function waitingOf(userId: string): Slot[] {
    return queue
      .slots()
      .filter(({ entry, answer }) => answer === null && entry.refusal === null && userIdOf(entry) === userId);
  }
}

function describe(waiting: readonly Slot[]): PendingPin[] {
  const [first] = waiting;
  if (first?.entry.actor === undefined) return [];
  const { actor, queuedAt: oldestAt } = first.entry;
  const pending = waiting.flatMap(({ pendingToken }) => pendingToken ?? []);
  return [
    {
      user: actor.user,
      count: waiting.length,
      kept: pending.filter(({ isKept }) => isKept).length,
      refusedToken: pending[0]?.refusedToken ?? null,
      oldestAt,
      orders: [...new Set(waiting.flatMap(({ entry }) => ordersOf(entry.intent)))],
    },
  ];
}

function userIdOf({ actor }: OutboxEntry): string {
  return String(actor?.user.id);
}
