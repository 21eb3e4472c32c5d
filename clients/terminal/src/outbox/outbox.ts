import type { StoredOrder } from "@comanda/protocol";
import type { PricedMenu } from "../orders/reprice-line.ts";
import type { Schemas } from "../schemas.ts";
import type { TerminalWorld } from "../world.ts";
import { createAnswers } from "./answers/answers.ts";
import { createPendingPins } from "./answers/pending-pins.ts";
import { createConflicts } from "./answers/conflicts.ts";
import { createLineLookup, type HubOrders } from "./entries/hub-orders.ts";
import { createRenew } from "./entries/renew-intent.ts";
import { createIntake, type Mutation, type Signature } from "./sending/intake.ts";
import { createNotices } from "./queue/notices.ts";
import type { Fork, Intent, MutationAnswer, MutationMessage, OutboxEntry } from "./entries/outbox-entry.ts";
import { createOutboxQueue } from "./queue/outbox-queue.ts";
import { createOutboxSender } from "./sending/outbox-sender.ts";
import type { OutboxStorage, UnsavedError } from "./queue/outbox-storage.ts";
import { createOutboxWrites } from "./queue/outbox-writes.ts";
import { createPresentConflict, type Conflict } from "./queue/present-conflict.ts";
import { createRefuse } from "./sending/refuse.ts";
import { createSettling } from "./answers/settling.ts";
import type { HoldersOf } from "./queue/turns.ts";

export type Outbox = ReturnType<typeof createOutbox>;

export interface OutboxDeps {
  storage: OutboxStorage;
  loaded: readonly OutboxEntry[];
  world: TerminalWorld;
  schemas: Schemas;
  hub: {
    order: HubOrders;
    orders: () => Iterable<StoredOrder>;
    wasRemoved: (posReference: string) => boolean;
    holdersOf: HoldersOf;
    seq: () => number;
  };
  now: () => string;
  /** Runs `act` once the hub's state up to `seq` is cached and survives a reload; at once if absent. */
  whenCached?: (seq: number, act: () => void) => void;
  /** The menu to round merged orders with, or null if it is not known yet. */
  menu?: () => PricedMenu | null;
  /** Returns false if there is no session. */
  send: (message: MutationMessage) => boolean;
  events: {
    /** The local view of the intents' subjects may have changed. `left`: the only change is that this entry left the outbox. */
    changed: (intents: readonly Intent[], left?: OutboxEntry) => void;
    acknowledged: (entry: OutboxEntry, answer: MutationAnswer) => void;
    conflict: (conflict: Conflict) => void;
    /** The list of people who have to enter their PIN again has changed. */
    pendingPins: () => void;
    /** The storage failed (UnsavedError, with its cause) or works again (null). Failed writes are retried. */
    storage: (failure: UnsavedError | null) => void;
  };
}

/** Manages the mutations of one device, from the tap on the screen to the hub's answer or a person's decision. */
export function createOutbox(deps: OutboxDeps) {
  const { storage, loaded, world, schemas, hub, now, send, events } = deps;
  const { menu = () => null, whenCached = (_, act) => act() } = deps;
  const { changed, conflict } = events;
  const { timers, uuid } = world;

  const waiting = loaded.filter(({ isDone }) => isDone !== true);
  const queue = createOutboxQueue(waiting, hub.holdersOf);
  const writes = createOutboxWrites({ storage, timers, slots: queue.slots, changed: events.storage });
  const { keep, save } = writes;
  const done = loaded.filter(({ isDone }) => isDone === true);
  const elsewhere = createLineLookup(hub.orders);
  const renew = createRenew({ hubOrder: hub.order, wasRemoved: hub.wasRemoved, elsewhere, menu, uuid });
  const present = createPresentConflict({
    hubOrder: hub.order,
    renew: (entry, newId) => renew(entry, { newId }),
  });
  const notices = createNotices({ loaded: done, writes, present, conflict, changed });
  const refuse = createRefuse({ queue, keep, present, now, changed, conflict });
  const sender = createOutboxSender({ queue, save, world, hubOrder: hub.order, elsewhere, menu, send, refuse });
  const { pump } = sender;
  const pins = createPendingPins({ queue, keep, now, refuse, pump, changed: events.pendingPins });
  const settling = createSettling({ queue, writes, hub, menu, whenCached, dropped });
  const { acknowledged } = events;
  const answers = createAnswers({
    queue,
    keep,
    sender,
    settling,
    pins,
    notices,
    hubOrder: hub.order,
    refuse,
    uuid,
    now,
    acknowledged,
  });
  const intake = createIntake({ queue, save, sender, discard: settling.discard, schemas, uuid, now, changed });
  const conflicts = createConflicts({ queue, writes, intake, settling, notices, present, renew, pump });

  return {
    entriesOf: queue.entriesOf,
    entries: queue.entries,
    orders: queue.orders,
    report: queue.report,
    idle: queue.idle,

    entryOf: intake.entryOf,
    /** Queues a mutation. Throws TerminalRefusal if the hub would never accept it. */
    add: (intent: Intent, signature?: Signature): Mutation => intake.add(intake.entryOf(intent, signature)),
    queueEntry: intake.add,

    limitRate: sender.limitRate,
    resume(): void {
      pins.askAgain();
      sender.resume();
    },
    pause: sender.pause,
    acknowledge: answers.acknowledge,
    reject: answers.reject,
    /** Handles a change of the hub's state. `fork` is set if the hub's history may have forked. */
    hubChanged(fork: Fork | null): void {
      if (fork !== null) forked(fork);
      settling.dropApplied();
      settling.dropSettled();
      pump();
    },
    leaseEnded: sender.leaseEnded,

    /** Whether an answer named a state that has not arrived yet. */
    awaitsState: () => queue.slots().some((slot) => slot.answer !== null || sender.isAwaitingState(slot)),

    pendingPins: pins.list,
    renewActor: pins.renewActor,
    answerFor: pins.answerFor,
    giveUpPin: pins.giveUp,

    conflicts: conflicts.list,
    retry: conflicts.retry,
    resubmit: conflicts.resubmit,
    discard: conflicts.discard,
    abandon: conflicts.abandon,

    async stop(): Promise<void> {
      intake.close();
      sender.stop();
      await writes.close();
    },
  };

  function dropped(entry: OutboxEntry): void {
    changed([entry.intent], entry);
  }

  function forked(fork: Fork): void {
    settling.dropAnswered();
    for (const slot of queue.slots()) {
      slot.entry.queuedBefore = fork;
      if (slot.entry.message !== null) slot.entry.mayBeOnHub = true;
      keep(slot);
    }
  }
}
