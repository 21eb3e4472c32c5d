import type { ErrorCode, RefusedToken } from "@comanda/protocol";
import { TerminalRefusal } from "../refusal.ts";
import { ordersOf, subjectsOf, type MutationAnswer, type OutboxEntry, type Refusal } from "./outbox-entry.ts";
import type { TerminalWorld } from "../world.ts";
import type { OutboxStorage } from "./outbox-storage.ts";
import type { Conflict } from "./present-conflict.ts";
import { reportOutbox, type OutboxState } from "./report-outbox.ts";

/** How long a write may take. */
const WRITE_MS = 5_000;

export type MutationOutcome =
  | { state: "acknowledged"; answer: MutationAnswer }
  | { state: "refused"; conflict: Conflict }
  | { state: "discarded" };

/** A queued mutation: its stored entry, and what is true only while this process runs. */
export interface Slot {
  readonly entry: OutboxEntry;
  readonly settle: (outcome: MutationOutcome) => void;
  /** Its write has ended, so that it may be sent. */
  stored: boolean;
  /** The storage failed: only the memory has it. */
  unsaved: boolean;
  inFlight: boolean;
  answer: MutationAnswer | null;
  /** The hub no longer knows its actor by their token: it waits until they have entered their PIN again. */
  awaitsPin: boolean;
  /** Which token the hub refused for that, and why; null where it did not say. */
  refusedToken: RefusedToken | null;
  /** The hub has kept it, too: a manager may decide on it there before they have. */
  isKept: boolean;
  /** It has waited for that, and was sent again with the token that the PIN gave. */
  isRenewed: boolean;
  /** The code of the last refusal after which it is sent again. */
  heldBy: ErrorCode | null;
  retries: number;
  rebases: number;
  /** Monotonic ms before which it is not sent. */
  notBefore: number;
  /** The state that a refusal named and that has not arrived yet. */
  awaiting: { posReference: string; version: number } | null;
}

export type OutboxQueue = ReturnType<typeof createOutboxQueue>;

/** The mutations of one device in their order, in memory and in the storage. */
export function createOutboxQueue(
  storage: OutboxStorage,
  loaded: readonly OutboxEntry[],
  timers: TerminalWorld["timers"],
) {
  let slots = loaded.map((entry) => newSlot(structuredClone(entry), true).slot);
  let lastPlace = Math.max(0, ...loaded.map((entry) => entry.place));
  let idleWaiters: (() => void)[] = [];
  const writes = new Set<Promise<unknown>>();

  return {
    slots: (): readonly Slot[] => slots,
    nextPlace: () => lastPlace + 1,
    append(entry: OutboxEntry) {
      lastPlace = entry.place;
      const added = newSlot(entry, false);
      slots.push(added.slot);
      return added;
    },
    /** Puts `entry` where `old` was. */
    replace(old: Slot, entry: OutboxEntry) {
      const added = newSlot(entry, false);
      slots = slots.map((slot) => (slot === old ? added.slot : slot));
      return added;
    },
    /** Takes it out of memory; `erase` takes it out of the storage. */
    drop(slot: Slot): void {
      slots = slots.filter((other) => other !== slot);
      resolveIdle();
    },
    /** Keeps it for a decision; resolves when that is stored. */
    refuse(slot: Slot, refusal: Refusal): Promise<void> {
      slot.awaitsPin = false;
      slot.entry.refusal = refusal;
      slot.entry.message = null;
      resolveIdle();
      return save(slot);
    },
    /** Writes the entry as it is now. */
    save,
    /** Keeps it until its actor has entered their PIN again. */
    awaitPin(slot: Slot): void {
      slot.awaitsPin = true;
      resolveIdle();
    },
    erase: (slot: Slot) => track(storage.remove(slot.entry.id)),
    /** Stores that it was answered, for a reload before it is erased. */
    keepAnswered: ({ entry }: Slot) => track(storage.put({ ...entry, isAnswered: true })),
    unanswered: (mutationId: string) =>
      slots.find(({ entry, answer }) => entry.mutationId === mutationId && answer === null),
    /** One that waits for a person: refused, or without a valid actor. Throws TerminalRefusal NOT_FOUND. */
    refused(id: string): Slot {
      const slot = slots.find(({ entry, awaitsPin }) => entry.id === id && (entry.refusal !== null || awaitsPin));
      if (slot === undefined) throw new TerminalRefusal("NOT_FOUND", `there is no conflict ${id}`);
      return slot;
    },
    /** The later mutations of the same order. */
    behind: ({ entry: { place } }: Slot, posReference: string) =>
      slotsOf(posReference).filter(({ entry }) => entry.place > place),
    /** The mutations before it that are about the same order. */
    before: ({ entry: { place } }: Slot, posReference: string) =>
      slotsOf(posReference).filter(({ entry }) => entry.place < place),
    entriesOf: (posReference: string) => slotsOf(posReference).map(({ entry }) => entry),
    entries: () => slots.map(({ entry }) => entry),
    orders: () => [...new Set(slots.flatMap(({ entry }) => ordersOf(entry.intent)))],
    report: (): OutboxState =>
      reportOutbox(slots.filter(({ answer, entry }) => answer === null && entry.isAnswered !== true)),
    /** Resolves when all but the conflicts, what waits for a PIN, and what waits behind them is answered, and the answers are in the local copy. */
    idle(): Promise<void> {
      return new Promise((resolve) => {
        idleWaiters.push(resolve);
        resolveIdle();
      });
    },
    /** Waits for writes in progress, then closes the storage. */
    async close(): Promise<void> {
      await Promise.allSettled(writes);
      await storage.close();
    },
  };

  function newSlot(entry: OutboxEntry, stored: boolean): { slot: Slot; outcome: Promise<MutationOutcome> } {
    const { promise: outcome, resolve: settle } = Promise.withResolvers<MutationOutcome>();
    const unsent = {
      inFlight: false,
      answer: null,
      awaitsPin: false,
      refusedToken: null,
      isKept: false,
      isRenewed: false,
      heldBy: null,
      retries: 0,
      rebases: 0,
      notBefore: 0,
      awaiting: null,
    };
    return { slot: { entry, settle, stored, unsaved: false, ...unsent }, outcome };
  }

  function save(slot: Slot): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const failed = (error: unknown) => {
      cancel();
      slot.unsaved = true;
      reject(error);
    };
    // A storage that never answers must not keep a mutation from the hub.
    const cancel = timers.after(WRITE_MS, () => failed(new Error("the storage does not answer")));
    track(storage.put(slot.entry)).then(() => {
      cancel();
      slot.unsaved = false;
      resolve();
    }, failed);
    return promise;
  }

  function slotsOf(posReference: string): Slot[] {
    return slots.filter(({ entry }) => ordersOf(entry.intent).includes(posReference));
  }

  /** Keeps hold of a write until it is done, so that `close` waits for it. */
  function track<T>(write: Promise<T>): Promise<T> {
    writes.add(write);
    const forget = () => void writes.delete(write);
    write.then(forget, forget);
    return write;
  }

  function resolveIdle(): void {
    if (idleWaiters.length === 0 || canAdvance()) return;
    const waiters = idleWaiters;
    idleWaiters = [];
    for (const resolve of waiters) resolve();
  }

  function canAdvance(): boolean {
    const held = new Set<string>();
    return slots.some(({ entry, awaitsPin }) => {
      const subjects = subjectsOf(entry.intent);
      if (entry.refusal === null && !awaitsPin && !subjects.some((subject) => held.has(subject))) return true;
      for (const subject of subjects) held.add(subject);
      return false;
    });
  }
}
