import type { HubMessageOf, StoredOrder } from "@comanda/protocol";
import type { OrderContent } from "../orders/order-content.ts";
import type { StateChange } from "../state/hub-state.ts";
import type { TerminalWorld } from "../world.ts";
import { checkIntent } from "./check-intent.ts";
import { passOnContent, passOnVersions } from "./follow-answer.ts";
import { isContentChange, lastSeqOf } from "./intent-content.ts";
import { ordersOf, type Intent, type MutationMessage, type OutboxEntry, type Refusal } from "./outbox-entry.ts";
import { createOutboxQueue, type MutationOutcome, type Slot } from "./outbox-queue.ts";
import { createOutboxSender } from "./outbox-sender.ts";
import type { OutboxStorage } from "./outbox-storage.ts";
import { presentConflict, type Conflict } from "./present-conflict.ts";
import { renewIntent } from "./renew-intent.ts";

export interface Mutation {
  id: string;
  /** Resolves when it is on the disk; rejects when it could not be written, and then it is not in the outbox. */
  stored: Promise<void>;
  /** Never rejects; `discarded` also when it could not be written. */
  outcome: Promise<MutationOutcome>;
}

type Rejection = Pick<HubMessageOf<"ORDER_REJECTED">, "mutationId" | "errorCode" | "error" | "retryable"> &
  Partial<Pick<HubMessageOf<"ORDER_REJECTED">, "hubVersion" | "posReference">>;

export type Outbox = ReturnType<typeof createOutbox>;

export interface OutboxDeps {
  storage: OutboxStorage;
  loaded: readonly OutboxEntry[];
  world: TerminalWorld;
  hub: { order: (posReference: string) => StoredOrder | undefined; seq: () => number };
  now: () => string;
  /** False when there is no session to send it on. */
  send: (message: MutationMessage) => boolean;
  events: {
    /** The local view of these orders may have changed. */
    changed: (orders: readonly string[]) => void;
    acknowledged: (entry: OutboxEntry, answer: HubMessageOf<"ORDER_ACK">) => void;
    conflict: (conflict: Conflict) => void;
    /** The storage failed; the write is repeated. */
    trouble: (error: unknown) => void;
  };
}

/** The mutations of one device, from the tap on the screen to the hub's answer. Nothing leaves it unanswered. */
export function createOutbox({ storage, loaded, world, hub, now, send, events }: OutboxDeps) {
  const queue = createOutboxQueue(storage, loaded);
  const sender = createOutboxSender({ queue, world, hubOrder: hub.order, send, refuse, trouble: events.trouble });
  let stopped = false;

  return {
    entriesOf: queue.entriesOf,
    orders: queue.orders,
    report: queue.report,
    idle: queue.idle,
    limitRate: sender.limitRate,
    resume: sender.resume,
    pause: sender.pause,

    /** Throws TerminalRefusal for what the hub would never accept. */
    add(intent: Intent): Mutation {
      if (stopped) throw new Error("the terminal has been stopped");
      const id = world.uuid();
      const entry: OutboxEntry = {
        id,
        place: queue.nextPlace(),
        queuedAt: now(),
        mutationId: id,
        intent: structuredClone(intent),
        message: null,
        refusal: null,
      };
      checkIntent(entry);
      const { slot, outcome } = queue.append(entry);
      sender.decideEarly(slot);
      const stored = save(slot, (error) => {
        drop(slot);
        slot.settle({ state: "discarded" });
        throw error;
      });
      events.changed(ordersOf(intent));
      return { id, stored, outcome };
    },

    acknowledge(answer: HubMessageOf<"ORDER_ACK">): void {
      const slot = queue.unanswered(answer.mutationId);
      if (slot === undefined) return;
      slot.inFlight = false;
      slot.answer = answer;
      for (const later of passOnVersions(queue, slot, answer)) queue.save(later).catch(events.trouble);
      queue.erase(slot).catch(events.trouble);
      slot.settle({ state: "acknowledged", answer });
      events.acknowledged(slot.entry, answer);
      dropSettled();
      sender.pump();
    },

    reject(answer: Rejection): void {
      const slot = queue.unanswered(answer.mutationId);
      if (slot === undefined) return;
      slot.inFlight = false;
      if (answer.errorCode === "RATE_LIMITED") sender.slowDown();
      if (answer.retryable) sender.retryLater(slot);
      else if (answer.errorCode === "CONFLICT" && isContentChange(slot.entry.intent)) sender.rebase(slot, answer);
      else refuse(slot, { errorCode: answer.errorCode, error: answer.error, collisions: [] });
      sender.pump();
    },

    hubChanged(change: StateChange): void {
      if (change.forked) for (const slot of settlingSlots()) drop(slot);
      dropSettled();
      sender.pump();
    },

    /** Whether an answer named a state that has not arrived yet. */
    awaitsState: () => queue.slots().some((slot) => slot.answer !== null || sender.isAwaitingState(slot)),

    /** What the hub refused, with both states, until it is retried or discarded. */
    conflicts: () =>
      queue.slots().flatMap(({ entry }) => (entry.refusal === null ? [] : [presentConflict(entry, hub.order)])),

    /** Sends a refused mutation again on the hub's present state: mine wins where they collide, or what `resolved` says. */
    retry(id: string, resolved: ReadonlyMap<string, OrderContent> = new Map()): Mutation {
      const old = queue.refused(id);
      const entry: OutboxEntry = {
        ...old.entry,
        // Decided just now, so the hub must not mark it as late.
        queuedAt: now(),
        mutationId: world.uuid(),
        intent: renewIntent(old.entry.intent, hub.order, resolved),
        message: null,
        refusal: null,
      };
      checkIntent(entry);
      const { slot, outcome } = queue.replace(old, entry);
      const stored = save(slot, (error) => {
        queue.putBack(old, slot);
        events.trouble(error);
        events.changed(ordersOf(entry.intent));
        throw error;
      });
      events.changed(ordersOf(entry.intent));
      return { id, stored, outcome };
    },

    async discard(id: string): Promise<void> {
      const slot = queue.refused(id);
      await queue.erase(slot);
      drop(slot);
      slot.settle({ state: "discarded" });
      sender.pump();
    },

    async stop(): Promise<void> {
      stopped = true;
      sender.stop();
      await queue.close();
    },
  };

  /** Stores a new entry and sends it then; the caller may ignore the rejection. */
  function save(slot: Slot, failed: (error: unknown) => never): Promise<void> {
    const stored = queue.save(slot).then(() => {
      slot.stored = true;
      sender.pump();
    }, failed);
    stored.catch(() => {});
    return stored;
  }

  function refuse(slot: Slot, refusal: Omit<Refusal, "at">): void {
    queue.refuse(slot, { ...refusal, at: now() }).catch(events.trouble);
    const conflict = presentConflict(slot.entry, hub.order);
    slot.settle({ state: "refused", conflict });
    events.changed(ordersOf(slot.entry.intent));
    events.conflict(conflict);
  }

  function settlingSlots(): Slot[] {
    return queue.slots().filter(({ answer }) => answer !== null);
  }

  /** An answered mutation stays in the view until its effect has come back; then its successors may go. */
  function dropSettled(): void {
    for (const slot of settlingSlots()) {
      if (hub.seq() < lastSeqOf(slot.answer)) continue;
      drop(slot);
      passOnContent(queue, slot, hub.order);
    }
  }

  function drop(slot: Slot): void {
    queue.drop(slot);
    events.changed(ordersOf(slot.entry.intent));
  }
}
