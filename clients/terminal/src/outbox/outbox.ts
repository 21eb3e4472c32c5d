import {
  createTokenBucket,
  type HubMessageOf,
  type OutboxReport,
  type StoredOrder,
  type TokenBucket,
} from "@comanda/protocol";
import { adoptHubContent } from "../orders/adopt-hub-content.ts";
import { contentOf, type OrderContent } from "../orders/order-content.ts";
import { TerminalRefusal } from "../refusal.ts";
import { PACE } from "../session/paced-sender.ts";
import { backoffMs, rebaseBackoff, retryBackoff } from "../session/backoff.ts";
import type { StateChange } from "../state/hub-state.ts";
import type { TerminalWorld } from "../world.ts";
import { checkIntent, isTooLarge } from "./check-intent.ts";
import { chooseSendable, type Hold } from "./choose-sendable.ts";
import { decideMessage } from "./decide-message.ts";
import { assertsContent, changesOf, isContentChange, lastSeqOf, versionsOf, writesOf } from "./intent-content.ts";
import { ordersOf, type Intent, type MutationMessage, type OutboxEntry, type Refusal } from "./outbox-entry.ts";
import type { OutboxStorage } from "./outbox-storage.ts";
import { presentConflict, type Conflict } from "./present-conflict.ts";
import { renewIntent } from "./renew-intent.ts";

/** So many mutations are on their way at once; the others wait in the storage, not in the socket. */
const MOST_IN_FLIGHT = 64;
/** After so many rebases in a row the others write faster than we do: a person decides. */
const MOST_REBASES = 20;

export type MutationOutcome =
  | { state: "acknowledged"; answer: HubMessageOf<"ORDER_ACK"> }
  | { state: "refused"; conflict: Conflict }
  | { state: "discarded" };

/** A mutation on its way. */
export interface Mutation {
  id: string;
  /** Resolves when it is on the disk; rejects when it could not be written, and then it is not in the outbox. */
  stored: Promise<void>;
  /** Never rejects; `discarded` also when it could not be written. */
  outcome: Promise<MutationOutcome>;
}

export interface OutboxEvents {
  /** The local view of these orders may have changed. */
  changed: (orders: readonly string[]) => void;
  acknowledged: (entry: OutboxEntry, answer: HubMessageOf<"ORDER_ACK">) => void;
  conflict: (conflict: Conflict) => void;
  /** The storage failed; what it was asked is tried again. */
  trouble: (error: unknown) => void;
}

export interface Outbox {
  add(intent: Intent): Mutation;
  /** A session begins on which the hub admits so many mutations a second and ten times that at once; undefined is any number. */
  keepBelow(perSecond: number | undefined): void;
  /** The hub's state is complete: sends what waits. */
  resume(): void;
  /** The connection is gone: whatever was on its way has lost its answer. */
  pause(): void;
  acknowledge(answer: HubMessageOf<"ORDER_ACK">): void;
  reject(answer: { mutationId: string } & Pick<HubMessageOf<"ORDER_REJECTED">, RejectedFields>): void;
  hubChanged(change: StateChange): void;
  /** What the local view replays on an order. */
  entriesOf(posReference: string): OutboxEntry[];
  /** An answer spoke of a state that has not come yet. */
  awaitsState(): boolean;
  /** Orders that some entry is about. */
  orders(): string[];
  report(): OutboxReport;
  conflicts(): Conflict[];
  /** Sends it once more on the hub's present state; where the two collide, mine wins, or what `resolved` says. */
  retry(id: string, resolved?: ReadonlyMap<string, OrderContent>): Mutation;
  discard(id: string): Promise<void>;
  /** Resolves when nothing can go on without a decision: all is answered but the tray and what stands behind it. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

type RejectedFields = "errorCode" | "error" | "retryable" | "hubVersion" | "posReference";

/** An entry and what is only true while this process lives. */
interface Slot {
  entry: OutboxEntry;
  written: boolean;
  inFlight: boolean;
  answer: HubMessageOf<"ORDER_ACK"> | null;
  retries: number;
  rebases: number;
  notBefore: number;
  /** The state that a refusal spoke of, not yet here. */
  awaiting: { posReference: string; version: number } | null;
  settle(outcome: MutationOutcome): void;
}

export interface OutboxParts {
  storage: OutboxStorage;
  loaded: readonly OutboxEntry[];
  world: TerminalWorld;
  hub: { order: (posReference: string) => StoredOrder | undefined; seq: () => number };
  now: () => string;
  /** False when there is no session to send it on. */
  send: (message: MutationMessage) => boolean;
  events: OutboxEvents;
}

/** The mutations of one device, from the tap on the screen to the hub's answer. Nothing leaves it unanswered. */
export function createOutbox({ storage, loaded, world, hub, now, send, events }: OutboxParts): Outbox {
  const slotOf = new WeakMap<OutboxEntry, Slot>();
  let slots = loaded.map((entry) => newSlot(structuredClone(entry), true).slot);
  let lastPlace = Math.max(0, ...loaded.map((entry) => entry.place));
  let online = false;
  let stopped = false;
  let pace: TokenBucket | null = null;
  let cancelWake = () => {};
  let waiters: (() => void)[] = [];
  const writes = new Set<Promise<unknown>>();

  return {
    add(intent) {
      if (stopped) throw new Error("the terminal has been stopped");
      const id = world.uuid();
      const entry: OutboxEntry = {
        id,
        place: lastPlace + 1,
        queuedAt: now(),
        mutationId: id,
        intent: structuredClone(intent),
        message: null,
        refusal: null,
      };
      checkIntent(entry);
      lastPlace = entry.place;
      const { slot, outcome } = newSlot(entry, false);
      slots.push(slot);
      // Decided now where it can go at once, so that it is written only once.
      if (online && sendable().includes(slot)) decide(slot);
      const stored = write(storage.put(entry)).then(
        () => {
          slot.written = true;
          pump();
        },
        (error: unknown) => {
          drop(slot);
          slot.settle({ state: "discarded" });
          throw error;
        },
      );
      stored.catch(() => {});
      events.changed(ordersOf(intent));
      return { id, stored, outcome };
    },

    keepBelow(perSecond) {
      const paced = (perSecond ?? 0) * PACE;
      pace =
        perSecond === undefined
          ? null
          : createTokenBucket({ burst: 10 * paced, perSecond: paced }, world.clock.monotonic);
    },

    resume() {
      online = true;
      pump();
    },

    pause() {
      online = false;
      for (const slot of slots) slot.inFlight = false;
    },

    acknowledge(answer) {
      const slot = waitingFor(answer.mutationId);
      if (slot === undefined) return;
      slot.inFlight = false;
      slot.answer = answer;
      passOnVersions(slot, answer);
      write(storage.remove(slot.entry.id)).catch(events.trouble);
      slot.settle({ state: "acknowledged", answer });
      events.acknowledged(slot.entry, answer);
      dropSettled();
      pump();
    },

    reject(answer) {
      const slot = waitingFor(answer.mutationId);
      if (slot === undefined) return;
      slot.inFlight = false;
      // The hub counts otherwise: what would go out next would be refused as well.
      if (answer.errorCode === "RATE_LIMITED") pace?.empty();
      if (answer.retryable) retryLater(slot);
      else if (answer.errorCode === "CONFLICT" && isContentChange(slot.entry.intent)) rebase(slot, answer);
      else toTray(slot, { errorCode: answer.errorCode, error: answer.error, collisions: [] });
      pump();
    },

    hubChanged(change) {
      if (change.forked) for (const slot of slots.filter(({ answer }) => answer !== null)) drop(slot);
      dropSettled();
      pump();
    },

    entriesOf: (posReference) =>
      slots.filter(({ entry }) => ordersOf(entry.intent).includes(posReference)).map(({ entry }) => entry),

    awaitsState: () => slots.some((slot) => slot.answer !== null || holdOn(slot) === "awaiting the hub's state"),

    orders: () => [...new Set(slots.flatMap(({ entry }) => ordersOf(entry.intent)))],

    report() {
      const unanswered = slots.filter((slot) => slot.answer === null);
      const oldestAt = unanswered.map(({ entry }) => entry.queuedAt).toSorted()[0] ?? null;
      return { pending: unanswered.length, oldestAt };
    },

    conflicts: () => slots.flatMap(({ entry }) => (entry.refusal === null ? [] : [presentConflict(entry, hub.order)])),

    retry(id, resolved = new Map()) {
      const old = inTray(id);
      const entry: OutboxEntry = {
        ...old.entry,
        // Somebody has looked at it and wants it now: it is no late one.
        queuedAt: now(),
        mutationId: world.uuid(),
        intent: renewIntent(old.entry.intent, hub.order, resolved),
        message: null,
        refusal: null,
      };
      checkIntent(entry);
      const { slot, outcome } = newSlot(entry, false);
      slots = slots.map((other) => (other === old ? slot : other));
      const stored = write(storage.put(entry)).then(() => {
        slot.written = true;
        pump();
      });
      stored.catch((error: unknown) => {
        slots = slots.map((other) => (other === slot ? old : other));
        events.trouble(error);
        events.changed(ordersOf(entry.intent));
      });
      events.changed(ordersOf(entry.intent));
      return { id, stored, outcome };
    },

    async discard(id) {
      const slot = inTray(id);
      await write(storage.remove(id));
      drop(slot);
      slot.settle({ state: "discarded" });
      pump();
    },

    idle() {
      return new Promise((resolve) => {
        waiters.push(resolve);
        answerWaiters();
      });
    },

    async stop() {
      stopped = true;
      online = false;
      cancelWake();
      await Promise.allSettled(writes);
      await storage.close();
    },
  };

  function newSlot(entry: OutboxEntry, written: boolean): { slot: Slot; outcome: Promise<MutationOutcome> } {
    const { promise: outcome, resolve: settle } = Promise.withResolvers<MutationOutcome>();
    const idle = { inFlight: false, answer: null, retries: 0, rebases: 0, notBefore: 0, awaiting: null };
    const slot: Slot = { entry, written, ...idle, settle };
    slotOf.set(entry, slot);
    return { slot, outcome };
  }

  function sendable(): Slot[] {
    const room = MOST_IN_FLIGHT - slots.filter((slot) => slot.inFlight).length;
    const entries = slots.map(({ entry }) => entry);
    return chooseSendable(entries, (entry) => holdOn(slotOf.get(entry)), room).flatMap(
      (entry) => slotOf.get(entry) ?? [],
    );
  }

  function holdOn(slot: Slot | undefined): Hold | null {
    if (slot === undefined) return "writing";
    if (slot.entry.refusal !== null) return "in the tray";
    if (slot.answer !== null) return "settling";
    if (slot.inFlight) return "in flight";
    if (slot.notBefore > world.clock.monotonic()) return "backing off";
    if (slot.awaiting !== null) {
      const stored = hub.order(slot.awaiting.posReference);
      if (stored !== undefined && stored.version < slot.awaiting.version) return "awaiting the hub's state";
    }
    return null;
  }

  function pump(): void {
    cancelWake();
    if (online) for (const slot of sendable()) if (slot.written) advance(slot);
    const delays = slots.map((slot) => slot.notBefore - world.clock.monotonic()).filter((ms) => ms > 0);
    const paceMs = online ? (pace?.waitMs() ?? 0) : 0;
    if (paceMs > 0 && slots.length > 0) delays.push(paceMs);
    cancelWake = delays.length > 0 && !stopped ? world.timers.after(Math.min(...delays) + 1, pump) : () => {};
    answerWaiters();
  }

  /** Writes down what will be sent, or sends it once that is written. */
  function advance(slot: Slot): void {
    const { entry } = slot;
    if (entry.message !== null) {
      slot.inFlight = pace?.take() !== false && send(entry.message);
      return;
    }
    if (!decide(slot)) return;
    slot.written = false;
    write(storage.put(entry)).then(
      () => {
        slot.written = true;
        pump();
      },
      (error: unknown) => {
        slot.written = true;
        entry.message = null;
        retryLater(slot);
        events.trouble(error);
        pump();
      },
    );
  }

  function decide(slot: Slot): boolean {
    slot.awaiting = null;
    const decision = decideMessage(slot.entry, hub.order);
    if ("refused" in decision) {
      toTray(slot, decision.refused);
      return false;
    }
    if (isTooLarge(decision.message)) {
      toTray(slot, { errorCode: "PAYLOAD_TOO_LARGE", error: "the order no longer fits one frame", collisions: [] });
      return false;
    }
    slot.entry.message = decision.message;
    return true;
  }

  function retryLater(slot: Slot): void {
    const waitMs = backoffMs(retryBackoff, slot.retries, world.chance());
    slot.retries += 1;
    slot.notBefore = world.clock.monotonic() + waitMs;
  }

  /** The hub has not carried it out and never will under this id: rebased content is a new mutation. */
  function rebase(slot: Slot, answer: { posReference?: string | undefined; hubVersion?: number | undefined }): void {
    slot.rebases += 1;
    if (slot.rebases > MOST_REBASES) {
      toTray(slot, { errorCode: "CONFLICT", error: "the order keeps changing elsewhere", collisions: [] });
      return;
    }
    slot.entry.mutationId = world.uuid();
    slot.entry.message = null;
    const { posReference, hubVersion } = answer;
    if (posReference !== undefined && hubVersion !== undefined) slot.awaiting = { posReference, version: hubVersion };
    if (slot.rebases > 1) {
      const waitMs = backoffMs(rebaseBackoff, slot.rebases - 2, world.chance());
      slot.notBefore = world.clock.monotonic() + waitMs;
    }
  }

  function toTray(slot: Slot, refusal: Omit<Refusal, "at">): void {
    slot.entry.refusal = { ...refusal, at: now() };
    slot.entry.message = null;
    write(storage.put(slot.entry)).catch(events.trouble);
    const conflict = presentConflict(slot.entry, hub.order);
    slot.settle({ state: "refused", conflict });
    events.changed(ordersOf(slot.entry.intent));
    events.conflict(conflict);
  }

  /** An answered mutation stays in the view until its effect has come back; then its successors may go. */
  function dropSettled(): void {
    for (const slot of slots.filter(({ answer }) => answer !== null)) {
      if (hub.seq() < lastSeqOf(slot.answer)) continue;
      drop(slot);
      adoptStored(slot);
    }
  }

  function drop(slot: Slot): void {
    slots = slots.filter((other) => other !== slot);
    events.changed(ordersOf(slot.entry.intent));
    answerWaiters();
  }

  /** What was seen behind this mutation is what the hub now has, if nobody else's change got into it. */
  function passOnVersions(slot: Slot, answer: HubMessageOf<"ORDER_ACK">): void {
    for (const { posReference, version } of versionsOf(answer)) {
      if (!assertsContent(slot.entry, posReference)) continue;
      for (const { entry } of behind(slot, posReference)) {
        if (entry.message !== null || !("seenVersion" in entry.intent)) continue;
        entry.intent.seenVersion = version;
        write(storage.put(entry)).catch(events.trouble);
      }
    }
  }

  function adoptStored(slot: Slot): void {
    for (const { posReference, version } of versionsOf(slot.answer)) {
      const stored = hub.order(posReference);
      const sent = writesOf(slot.entry.message).find((order) => order.posReference === posReference);
      if (stored === undefined || stored.version !== version || sent === undefined) continue;
      const content = contentOf(stored.snapshot);
      for (const { entry } of behind(slot, posReference)) {
        if (entry.message !== null) continue;
        for (const change of changesOf(entry.intent).filter((order) => order.posReference === posReference)) {
          if (change.base !== null) change.base = adoptHubContent(change.base, sent.snapshot, content);
          change.next = adoptHubContent(change.next, sent.snapshot, content);
        }
      }
    }
  }

  function behind(slot: Slot, posReference: string): Slot[] {
    return slots.filter(({ entry }) => entry.place > slot.entry.place && ordersOf(entry.intent).includes(posReference));
  }

  /** Held until the application has decided about what lies in the tray before it. */
  function isBehindTray(slot: Slot): boolean {
    const held = new Set<string>();
    for (const { entry } of slots) {
      const orders = ordersOf(entry.intent);
      if (entry.refusal === null && !orders.some((order) => held.has(order))) continue;
      if (entry === slot.entry) return true;
      for (const order of orders) held.add(order);
    }
    return false;
  }

  function waitingFor(mutationId: string): Slot | undefined {
    return slots.find(({ entry, answer }) => entry.mutationId === mutationId && answer === null);
  }

  function inTray(id: string): Slot {
    const slot = slots.find(({ entry }) => entry.id === id && entry.refusal !== null);
    if (slot === undefined) throw new TerminalRefusal("NOT_FOUND", `nothing named ${id} lies in the tray`);
    return slot;
  }

  /** Keeps hold of a write until it is done, so that stopping waits for it. */
  function write<T>(writing: Promise<T>): Promise<T> {
    writes.add(writing);
    const forget = () => void writes.delete(writing);
    writing.then(forget, forget);
    return writing;
  }

  function answerWaiters(): void {
    if (slots.some((slot) => slot.entry.refusal === null && !isBehindTray(slot))) return;
    const answered = waiters;
    waiters = [];
    for (const answer of answered) answer();
  }
}
