import type { ErrorCode, HubMessageOf, RefusedToken, StoredOrder } from "@comanda/protocol";
import { copyOf, type OrderContent } from "../orders/order-content.ts";
import type { PricedMenu } from "../orders/reprice-line.ts";
import { TerminalRefusal } from "../refusal.ts";
import type { Schemas } from "../schemas.ts";
import type { StateChange } from "../state/hub-state.ts";
import type { TerminalWorld } from "../world.ts";
import { checkIntent } from "./check-intent.ts";
import type { HubOrders } from "./decide-message.ts";
import { passOnContent, passOnVersions } from "./follow-answer.ts";
import { createdBy, isContentChange, lastSeqOf } from "./intent-content.ts";
import {
  isMoney,
  ordersOf,
  paymentIdOf,
  subjectsOf,
  type Actor,
  type ExistingCheck,
  type Fork,
  type Intent,
  type MutationAnswer,
  type MutationMessage,
  type OutboxEntry,
  type Refusal,
} from "./outbox-entry.ts";
import { createOutboxQueue, type MutationOutcome, type Slot } from "./outbox-queue.ts";
import { createOutboxSender } from "./outbox-sender.ts";
import { UnsavedError, type OutboxStorage } from "./outbox-storage.ts";
import { presentConflict, type Conflict } from "./present-conflict.ts";
import { renewIntent } from "./renew-intent.ts";
import { createStayedLines, type SavedStayedLines } from "./stayed-lines.ts";

/** How long after a failed write it is tried again. */
const REWRITE_MS = 10_000;

export interface Mutation {
  id: string;
  /** Resolves when it is on the disk; rejects when it could not be written: it is sent all the same, from memory. */
  stored: Promise<void>;
  /** Never rejects. */
  outcome: Promise<MutationOutcome>;
}

type Rejection = Pick<HubMessageOf<"ORDER_REJECTED">, "mutationId" | "errorCode" | "error" | "retryable"> &
  Partial<
    Pick<
      HubMessageOf<"ORDER_REJECTED">,
      "hubVersion" | "posReference" | "existing" | "lineId" | "refusedToken" | "kept"
    >
  >;

/** Who makes a mutation: `actor` in whose name it is, `approval` the token of a second person who allowed it. */
export interface Signature {
  actor?: Actor | undefined;
  approval?: string | undefined;
}

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

export type Outbox = ReturnType<typeof createOutbox>;

export interface OutboxDeps {
  storage: OutboxStorage;
  loaded: readonly OutboxEntry[];
  world: TerminalWorld;
  schemas: Schemas;
  hub: { order: HubOrders; seq: () => number };
  now: () => string;
  /** Runs `act` once the hub's state up to `seq` outlives a reload; at once if absent. */
  whenCached?: (seq: number, act: () => void) => void;
  /** The lines that stayed where they were, as they were kept over a reload, and what keeps them (never rejects). */
  stayed?: SavedStayedLines;
  keepStayed?: (lines: SavedStayedLines | null) => Promise<void>;
  /** What rounds an order that two writers made together; null while it is not known. */
  menu?: () => PricedMenu | null;
  /** False when there is no session to send it on. */
  send: (message: MutationMessage) => boolean;
  events: {
    /** The local view of what these are about may have changed. */
    changed: (intents: readonly Intent[]) => void;
    acknowledged: (entry: OutboxEntry, answer: MutationAnswer) => void;
    conflict: (conflict: Conflict) => void;
    /** Somebody has to enter their PIN again, or has done so. */
    awaitedPins: () => void;
    /** The storage failed (UnsavedError, with its cause), or works again (null); the write is repeated. */
    storage: (failure: UnsavedError | null) => void;
  };
}

/** The mutations of one device, from the tap on the screen to the hub's answer. Nothing leaves it unanswered. */
export function createOutbox(deps: OutboxDeps) {
  const { storage, loaded, world, schemas, hub, now, send, events } = deps;
  const { menu = () => null, whenCached = (_, act) => act(), keepStayed = async () => {} } = deps;
  const queue = createOutboxQueue(
    storage,
    loaded.filter(({ isDone }) => isDone !== true),
    world.timers,
  );
  const stayed = createStayedLines({ saved: deps.stayed ?? [], save: keepStayed, hubOrder: hub.order });
  const sender = createOutboxSender({
    queue,
    world,
    hub: { order: hub.order, hasStayed: stayed.has },
    menu,
    send,
    refuse,
    unsaved,
  });
  /** Carried out, and kept until a person has seen what the hub said about it. */
  const notices = new Map(loaded.filter(({ isDone }) => isDone === true).map((entry) => [entry.id, entry]));
  /** The newest token for what each person did, and up to which place in the queue it is for that. */
  const newest = new Map<string, { actor: Actor; lastPlace: number }>();
  let isOnline = false;
  let stopped = false;
  let cancelRewrite = () => {};

  return {
    entryOf,
    entriesOf: queue.entriesOf,
    entries: queue.entries,
    orders: queue.orders,
    report: queue.report,
    idle: queue.idle,
    limitRate: sender.limitRate,
    resume(): void {
      isOnline = true;
      askAgain();
      sender.resume();
    },
    pause(): void {
      isOnline = false;
      sender.pause();
    },

    /** Throws TerminalRefusal for what the hub would never accept. */
    add: (intent: Intent, signature?: Signature): Mutation => queueEntry(entryOf(intent, signature)),
    queueEntry,

    acknowledge(answer: MutationAnswer): void {
      const slot = queue.unanswered(answer.mutationId);
      if (slot === undefined) return;
      slot.inFlight = false;
      slot.answer = answer;
      stopAwaiting(slot);
      for (const later of passOnVersions(queue, slot, answer)) queue.save(later).catch(unsaved);
      finish(slot);
      slot.settle({ state: "acknowledged", answer });
      events.acknowledged(slot.entry, answer);
      dropSettled();
      sender.pump();
    },

    reject(answer: Rejection): void {
      const slot = queue.unanswered(answer.mutationId);
      if (slot === undefined) return;
      const { errorCode, error, retryable, existing, lineId, refusedToken, kept } = answer;
      slot.inFlight = false;
      stopAwaiting(slot);
      // An answer that was given before counts no longer: the hub's history has forked.
      delete slot.entry.isAnswered;
      slot.heldBy = retryable ? errorCode : null;
      if (errorCode === "RATE_LIMITED") sender.slowDown();
      if (errorCode === "ACTOR_REFUSED" && slot.entry.actor !== undefined && mayAwaitPin(slot, answer)) {
        awaitPin(slot, answer, slot.entry.actor);
      } else if (retryable || isAhead(slot, errorCode)) retryLater(slot, answer);
      else if (errorCode === "CONFLICT" && isContentChange(slot.entry.intent)) sender.rebase(slot, answer);
      else if (existing !== undefined && wasOpenedBlindly(slot.entry)) openAdditionally(slot, error, existing);
      else {
        const details = {
          ...(existing === undefined ? {} : { existing }),
          ...(lineId === undefined ? {} : { lineId }),
          ...(refusedToken === undefined ? {} : { refusedToken }),
          ...(kept === true && isMoney(slot.entry.intent) && { isMoneyKept: kept }),
        };
        refuse(slot, { errorCode, error, collisions: [], ...details });
      }
      sender.pump();
    },

    hubChanged(change: StateChange): void {
      if (change.forked) {
        for (const slot of settlingSlots()) drop(slot);
        noteFork(change.isOtherHub === true ? "other_hub" : "earlier_state");
      }
      settleApplied();
      dropSettled();
      sender.pump();
    },

    /** Whether an answer named a state that has not arrived yet. */
    awaitsState: () => queue.slots().some((slot) => slot.answer !== null || sender.isAwaitingState(slot)),

    /** What the hub refused, with both states, until it is retried or discarded, and its notices. */
    conflicts(): Conflict[] {
      const refused = queue.slots().filter(({ entry }) => entry.refusal !== null);
      return [
        ...refused.map((slot) => presentConflict(slot.entry, hub.order, waitingBehind(slot))),
        ...[...notices.values()].map((entry) => presentConflict(entry, hub.order)),
      ];
    },

    /** Whose PIN is needed again; the longest waiting first. */
    awaitedPins(): AwaitedPin[] {
      const ids = new Set(queue.slots().flatMap(({ awaitsPin: waits, entry }) => (waits ? userIdOf(entry) : [])));
      return [...ids].flatMap((userId) => {
        const theirs = queue
          .slots()
          .filter(({ entry, answer }) => answer === null && entry.refusal === null && userIdOf(entry) === userId);
        const [first] = theirs;
        if (first?.entry.actor === undefined) return [];
        const orders = [...new Set(theirs.flatMap(({ entry }) => ordersOf(entry.intent)))];
        const { actor, queuedAt: oldestAt } = first.entry;
        const kept = theirs.filter((slot) => slot.awaitsPin && slot.isKept).length;
        const refusedToken = theirs.find((slot) => slot.awaitsPin)?.refusedToken ?? null;
        return [{ user: actor.user, count: theirs.length, kept, refusedToken, oldestAt, orders }];
      });
    },

    /** A newer token of somebody: what waits for it is sent, and so is whatever the hub refuses under an older one. */
    renewActor(actor: Actor): void {
      sendUnder(actor.user.id, actor, Infinity);
    },

    /** What `userId` did until now, and the hub does not take as theirs, is sent under somebody else who answers for it. */
    answerFor(userId: Actor["user"]["id"], actor: Actor): void {
      sendUnder(userId, actor, queue.nextPlace() - 1);
    },

    /** That person will not come: what waits for their PIN becomes conflicts, to be decided one by one. */
    giveUpPin(userId: Actor["user"]["id"]): void {
      for (const slot of queue.slots()) {
        if (!slot.awaitsPin || userIdOf(slot.entry) !== String(userId)) continue;
        const { refusedToken } = slot;
        const details = refusedToken === null ? {} : { refusedToken };
        refuse(slot, { errorCode: "ACTOR_REFUSED", error: "the PIN is no longer valid", collisions: [], ...details });
      }
      events.awaitedPins();
    },

    /** Sends a refused mutation again on the hub's present state: mine wins where they collide, or what `resolved` says. */
    retry(id: string, resolved: ReadonlyMap<string, OrderContent> = new Map(), signature: Signature = {}): Mutation {
      const { entry } = queue.refused(id);
      return resubmit(id, renewIntent(entry.intent, { hubOrder: hub.order, menu: menu() }, resolved), signature);
    },
    resubmit,

    /** Gives up everything about an order that the hub does not have. */
    abandon(posReference: string): void {
      for (const slot of queue.slots()) {
        if (ordersOf(slot.entry.intent).includes(posReference)) cancel(slot);
      }
    },

    /** Throws TerminalRefusal NOT_FOUND. */
    async discard(id: string): Promise<void> {
      if (notices.has(id)) {
        await storage.remove(id);
        notices.delete(id);
        return;
      }
      const slot = queue.refused(id);
      // First: it says nothing as long as the mutation is there.
      await stayed.note(slot.entry.intent);
      await queue.erase(slot);
      drop(slot);
      slot.settle({ state: "discarded" });
      sender.pump();
    },

    async stop(): Promise<void> {
      stopped = true;
      cancelRewrite();
      sender.stop();
      await queue.close();
    },
  };

  function queueEntry(entry: OutboxEntry): Mutation {
    requireRunning();
    const { id, intent } = entry;
    checkIntent(entry, schemas);
    const { slot, outcome } = queue.append(entry);
    sender.decideEarly(slot);
    const stored = save(slot);
    events.changed([intent]);
    return { id, stored, outcome };
  }

  /** A mutation as it would enter the queue now. */
  function entryOf(intent: Intent, { actor, approval }: Signature = {}): OutboxEntry {
    const id = world.uuid();
    return {
      id,
      place: queue.nextPlace(),
      queuedAt: now(),
      mutationId: id,
      intent: copyOf(intent),
      message: null,
      refusal: null,
      ...(actor === undefined ? {} : { actor }),
      ...(approval === undefined ? {} : { approval }),
      ...(isOnline ? {} : { isOffline: true }),
    };
  }

  /** What waits for the decision about a refused mutation, by way of whichever orders they share. */
  function waitingBehind({ entry: { place, intent } }: Slot): Intent[] {
    const held = new Set(subjectsOf(intent));
    return queue.slots().flatMap(({ entry }) => {
      const subjects = subjectsOf(entry.intent);
      if (entry.place <= place || entry.refusal !== null || !subjects.some((each) => held.has(each))) return [];
      for (const each of subjects) held.add(each);
      return [entry.intent];
    });
  }

  /** Puts `intent` in the place of a refused mutation. Throws TerminalRefusal for what the hub would never accept. */
  function resubmit(id: string, intent: Intent, { actor, approval }: Signature = {}): Mutation {
    requireRunning();
    const old = queue.refused(id);
    const { isKeptByHub: _, approval: formerApproval, actor: formerActor, refusal, ...kept } = old.entry;
    // It stays the work of whoever did it, except when that person was refused and nobody approves it.
    const isRefusedPerson =
      old.awaitsPin || refusal?.errorCode === "ACTOR_REFUSED" || refusal?.errorCode === "FORBIDDEN";
    const newActor = isRefusedPerson && approval === undefined ? (actor ?? formerActor) : formerActor;
    const isApprovalRefused = refusal?.refusedToken?.of === "approval";
    const newApproval = approval ?? (isApprovalRefused ? undefined : formerApproval);
    const entry: OutboxEntry = {
      ...kept,
      // Decided just now, so the hub must not mark it as late.
      queuedAt: now(),
      mutationId: world.uuid(),
      intent,
      message: null,
      refusal: null,
      ...(newActor === undefined ? {} : { actor: newActor }),
      ...(newApproval === undefined ? {} : { approval: newApproval }),
    };
    checkIntent(entry, schemas);
    const { slot, outcome } = queue.replace(old, entry);
    const stored = save(slot);
    events.changed([old.entry.intent, intent]);
    return { id, stored, outcome };
  }

  function requireRunning(): void {
    if (stopped) throw new Error("the terminal has been stopped");
  }

  /** Stores a new entry and sends it then, whether it could be stored or not; the caller may ignore the rejection. */
  function save(slot: Slot): Promise<void> {
    const goOn = () => {
      slot.stored = true;
      sender.pump();
    };
    const stored = queue.save(slot).then(goOn, (error: unknown) => {
      unsaved(error);
      goOn();
      throw error;
    });
    stored.catch(() => {});
    return stored;
  }

  /** What is done is done, whatever the storage says: it is written again until it succeeds. */
  function unsaved(cause: unknown): void {
    events.storage(new UnsavedError(cause));
    if (stopped) return;
    cancelRewrite();
    cancelRewrite = world.timers.after(REWRITE_MS, () => void rewrite());
  }

  async function rewrite(): Promise<void> {
    try {
      for (const slot of queue.slots()) if (slot.unsaved && slot.answer === null) await queue.save(slot);
      events.storage(null);
    } catch (error) {
      unsaved(error);
    }
  }

  function finish(slot: Slot): void {
    const { entry } = slot;
    if (entry.notice === undefined) {
      // Until it is erased a reload shows it from here, and sends it once more under its mutationId. Where the mark cannot be
      // stored it only counts as unsent until then.
      if (entry.isAnswered !== true) queue.keepAnswered(slot).catch(() => {});
      return whenCached(lastSeqOf(slot.answer), () => void queue.erase(slot).catch(unsaved));
    }
    entry.isDone = true;
    notices.set(entry.id, entry);
    queue.save(slot).catch(unsaved);
    events.conflict(presentConflict(entry, hub.order));
  }

  /** Money that went ahead of its order's creation, which still waits: the hub has kept it, and cannot know the order. */
  function isAhead(slot: Slot, code: ErrorCode): boolean {
    const { intent } = slot.entry;
    return code === "NOT_FOUND" && isMoney(intent) && sender.awaitsCreation(slot, intent.posReference);
  }

  function retryLater(slot: Slot, answer: Rejection): void {
    sender.retryLater(slot);
    noteKeptMoney(slot, answer);
  }

  /** A PIN helps once, and not where it is the approval that does not count; what the hub has kept has no hurry. */
  function mayAwaitPin({ isRenewed }: Slot, { refusedToken, kept }: Rejection): boolean {
    return !isRenewed && (refusedToken?.of !== "approval" || kept === true);
  }

  /** It belongs to whoever made it: they enter their PIN once more, if this device has no newer token for it. */
  function awaitPin(slot: Slot, answer: Rejection, actor: Actor): void {
    noteKeptMoney(slot, answer);
    slot.isKept = answer.kept === true;
    slot.refusedToken = answer.refusedToken ?? null;
    const known = newest.get(userIdOf(slot.entry));
    const isNewer = known !== undefined && known.actor.token !== actor.token && slot.entry.place <= known.lastPlace;
    if (isNewer) return renew(slot, known.actor);
    queue.awaitPin(slot);
    events.awaitedPins();
  }

  /** A manager may have decided on what the hub has kept while this device was away: it is sent once more, for the answer. */
  function askAgain(): void {
    for (const slot of queue.slots()) if (slot.isKept) stopAwaiting(slot);
  }

  /** The hub's answer came before the PIN. */
  function stopAwaiting(slot: Slot): void {
    slot.isKept = false;
    if (!slot.awaitsPin) return;
    slot.awaitsPin = false;
    events.awaitedPins();
  }

  function sendUnder(userId: Actor["user"]["id"], actor: Actor, lastPlace: number): void {
    newest.set(String(userId), { actor, lastPlace });
    const waiting = queue.slots().filter((slot) => slot.awaitsPin && userIdOf(slot.entry) === String(userId));
    for (const slot of waiting) {
      slot.awaitsPin = false;
      slot.isRenewed = true;
      renew(slot, actor);
    }
    if (waiting.length === 0) return;
    events.awaitedPins();
    sender.pump();
  }

  function renew(slot: Slot, actor: Actor): void {
    const { entry } = slot;
    entry.actor = actor;
    // A token counts for nothing from before it was given: whoever it is of answers for it now.
    entry.queuedAt = now();
    // Neither is part of what the hub remembers a mutation by: it may go on under its id.
    if (entry.message !== null) entry.message = { ...entry.message, queuedAt: entry.queuedAt, actor: actor.token };
    queue.save(slot).catch(unsaved);
  }

  /** The hub has kept the money of a payment that it could not apply yet. */
  function noteKeptMoney(slot: Slot, { kept }: Rejection): void {
    const { entry } = slot;
    if (!isMoney(entry.intent) || kept !== true) return;
    entry.isKeptByHub = true;
    // Sent once more it will be for the order on the hub: other content, so another mutation with the same payment.
    if (entry.message !== null && "snapshot" in entry.message) {
      entry.message = null;
      entry.mutationId = world.uuid();
    }
    queue.save(slot).catch(unsaved);
  }

  /** A new check that was opened while nobody could know whether the table has one. */
  function wasOpenedBlindly({ intent, isOffline }: OutboxEntry): boolean {
    return isOffline === true && intent.type === "ORDER_UPSERT" && createdBy(intent).length > 0;
  }

  function openAdditionally(slot: Slot, error: string, existing: ExistingCheck): void {
    const { entry } = slot;
    entry.intent = { ...entry.intent, additionalCheck: true } as Intent;
    entry.notice = { errorCode: "TABLE_OCCUPIED", error, collisions: [], at: now(), existing };
    entry.message = null;
    entry.mutationId = world.uuid();
  }

  /** A later refusal of what waits now may be the fork's doing, not another person's. */
  function noteFork(fork: Fork): void {
    for (const slot of queue.slots()) {
      slot.entry.queuedBefore = fork;
      queue.save(slot).catch(unsaved);
    }
  }

  function refuse(slot: Slot, refusal: Omit<Refusal, "at">): void {
    const { queuedBefore: after } = slot.entry;
    const isStale = after !== undefined && (refusal.errorCode === "CONFLICT" || refusal.errorCode === "NOT_FOUND");
    const kept = slot.entry.isKeptByHub === true && { isMoneyKept: true as const };
    queue.refuse(slot, { ...refusal, ...kept, at: now(), ...(isStale && { after }) }).catch(unsaved);
    const conflict = presentConflict(slot.entry, hub.order);
    slot.settle({ state: "refused", conflict });
    events.changed([slot.entry.intent]);
    events.conflict(conflict);
  }

  /** A manager has applied a payment of this device on the hub: what led to the check is in it. */
  function settleApplied(): void {
    for (const slot of queue.slots()) {
      const { intent, mutationId } = slot.entry;
      if (!isMoney(intent) || slot.inFlight || slot.answer !== null) continue;
      const stored = hub.order(intent.posReference);
      if (stored === undefined || !hasPayment(stored, paymentIdOf(intent))) continue;
      for (const earlier of queue.before(slot, intent.posReference)) {
        if (!earlier.inFlight && earlier.answer === null && isPartOfCheck(earlier.entry.intent)) cancel(earlier);
      }
      const { posReference, version } = stored;
      slot.settle({
        state: "acknowledged",
        answer: { type: "ORDER_ACK", mutationId, posReference, version, duplicate: true },
      });
      queue.erase(slot).catch(unsaved);
      drop(slot);
    }
  }

  function cancel(slot: Slot): void {
    slot.settle({ state: "discarded" });
    queue.erase(slot).catch(unsaved);
    drop(slot);
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
    if (queue.slots().length === 0) stayed.forget();
    events.changed([slot.entry.intent]);
  }
}

function hasPayment({ snapshot }: StoredOrder, paymentId: string | undefined): boolean {
  const known = [...(snapshot.tenders ?? []), ...(snapshot.payments ?? [])];
  return paymentId !== undefined && known.some((payment) => payment["tenderId"] === paymentId);
}

function userIdOf({ actor }: OutboxEntry): string {
  return String(actor?.user.id);
}

function isPartOfCheck({ type }: Intent): boolean {
  return type === "ORDER_UPSERT" || type === "ORDER_CHECKOUT" || type === "ORDER_REOPEN";
}

/** Throws for a conflict that is not about a table with two checks. */
export function requireExisting({ refusal }: Conflict): ExistingCheck {
  if (refusal.existing === undefined) {
    throw new TerminalRefusal("VALIDATION_ERROR", "this conflict is not about a table that has a check already");
  }
  return refusal.existing;
}
