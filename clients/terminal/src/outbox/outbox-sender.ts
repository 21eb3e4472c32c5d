import { createTokenBucket, sessionBudgets, type Budget, type HubMessageOf, type TokenBucket } from "@comanda/protocol";
import type { PricedMenu } from "../orders/reprice-line.ts";
import { backoffMs, rebaseBackoff, retryBackoff } from "../session/backoff.ts";
import { PACE } from "../session/paced-sender.ts";
import type { TerminalWorld } from "../world.ts";
import { isTooLarge, sizeOf } from "./check-intent.ts";
import { chooseSendable, type Hold } from "./choose-sendable.ts";
import { decideMessage, type OrdersOnHub } from "./decide-message.ts";
import { isMoney, type MutationMessage, type Refusal } from "./outbox-entry.ts";
import { createdBy } from "./intent-content.ts";
import type { OutboxQueue, Slot } from "./outbox-queue.ts";

/** At most this many mutations are unanswered at once; the others wait in the storage, not in the socket. */
const MOST_IN_FLIGHT = 64;
/** After this many rebases in a row the other terminals write faster than this one: a person decides. */
const MOST_REBASES = 20;

/** Sends the queue: decides each message, stores it, sends it, and waits before another attempt. */
export function createOutboxSender(deps: {
  queue: OutboxQueue;
  world: TerminalWorld;
  hub: OrdersOnHub;
  menu: () => PricedMenu | null;
  /** False when there is no session to send it on. */
  send: (message: MutationMessage) => boolean;
  refuse: (slot: Slot, refusal: Omit<Refusal, "at">) => void;
  /** A decided message could not be stored; it is sent all the same. */
  unsaved: (error: unknown) => void;
}) {
  const { queue, world, hub, menu, send, refuse, unsaved } = deps;
  let online = false;
  let stopped = false;
  let pace: { mutations: TokenBucket; bytes: TokenBucket } | null = null;
  /** How long until what was held back for the hub's rate may go; Infinity where nothing was. */
  let paceWaitMs = Infinity;
  let cancelWake = () => {};

  return {
    /** The hub admits so many mutations a second, ten times that at once, and bytes to match; undefined is any number. */
    limitRate(perSecond: number | undefined): void {
      const paced = (budget: Budget) =>
        createTokenBucket({ burst: budget.burst * PACE, perSecond: budget.perSecond * PACE }, world.clock.monotonic);
      const budgets = perSecond === undefined ? null : sessionBudgets(perSecond);
      pace = budgets && { mutations: paced(budgets.mutations), bytes: paced(budgets.bytes) };
    },
    /** The hub refused one as too many: its budget is used up. */
    slowDown(): void {
      pace?.mutations.empty();
      pace?.bytes.empty();
    },
    resume(): void {
      online = true;
      pump();
    },
    /** Every unanswered message is sent again after `resume`. */
    pause(): void {
      online = false;
      for (const slot of queue.slots()) slot.inFlight = false;
    },
    stop(): void {
      stopped = true;
      online = false;
      cancelWake();
    },
    pump,
    /** Decides the message of a new mutation that could be sent at once, so that it is stored only once. */
    decideEarly(slot: Slot): void {
      if (online && sendable(world.clock.monotonic()).includes(slot)) decide(slot);
    },
    retryLater,
    /** Whether its order may still come to be on the hub: the mutation that makes it waits, and was not refused. */
    awaitsCreation(slot: Slot, posReference: string): boolean {
      const creation = creationBefore(slot, posReference);
      return creation !== undefined && creation.entry.refusal === null;
    },
    rebase(slot: Slot, { posReference, hubVersion }: Partial<HubMessageOf<"ORDER_REJECTED">>): void {
      slot.rebases += 1;
      if (slot.rebases > MOST_REBASES) {
        refuse(slot, { errorCode: "CONFLICT", error: "the order keeps changing elsewhere", collisions: [] });
        return;
      }
      // The hub has not carried it out and never will under this id: rebased content is a new mutation.
      slot.entry.mutationId = world.uuid();
      slot.entry.message = null;
      if (posReference !== undefined && hubVersion !== undefined) slot.awaiting = { posReference, version: hubVersion };
      if (slot.rebases > 1) wait(slot, backoffMs(rebaseBackoff, slot.rebases - 2, world.random()));
    },
    isAwaitingState: (slot: Slot) => holdOn(slot, world.clock.monotonic()) === "awaiting the hub's state",
  };

  function sendable(now: number): Slot[] {
    const slots = queue.slots();
    const most = MOST_IN_FLIGHT - slots.filter((slot) => slot.inFlight).length;
    return chooseSendable(slots, (slot) => holdOn(slot, now), most, isMoneyOfMissingOrder);
  }

  /** Money for an order that the hub did not create: it must not wait behind that, perhaps for ever. */
  function isMoneyOfMissingOrder(slot: Slot): boolean {
    const { intent, isKeptByHub } = slot.entry;
    if (!isMoney(intent) || hub.order(intent.posReference) !== undefined) return false;
    const creation = creationBefore(slot, intent.posReference);
    if (creation === undefined || creation.answer !== null) return false;
    const isHeld = creation.awaitsPin || creation.heldBy === "NO_ACTIVE_SESSION";
    return creation.entry.refusal !== null || (isHeld && isKeptByHub !== true);
  }

  function creationBefore(slot: Slot, posReference: string): Slot | undefined {
    return queue.before(slot, posReference).find(({ entry }) => createdBy(entry.intent).includes(posReference));
  }

  function holdOn(slot: Slot, now: number): Hold | null {
    if (slot.entry.refusal !== null) return "refused";
    if (slot.awaitsPin) return "awaiting a PIN";
    if (slot.answer !== null) return "settling";
    if (slot.inFlight) return "in flight";
    if (slot.notBefore > now) return "backing off";
    if (slot.awaiting !== null) {
      const stored = hub.order(slot.awaiting.posReference);
      if (stored !== undefined && stored.version < slot.awaiting.version) return "awaiting the hub's state";
    }
    return null;
  }

  /** Sends what may be sent now, and wakes up again for what has to wait. */
  function pump(): void {
    cancelWake();
    // Looked at once: what comes due between two looks would be neither sent nor woken up for.
    const now = world.clock.monotonic();
    paceWaitMs = Infinity;
    if (online) for (const slot of sendable(now)) if (slot.stored) advance(slot);
    const delays = queue
      .slots()
      .map((slot) => slot.notBefore - now)
      .filter((ms) => ms > 0);
    if (paceWaitMs < Infinity) delays.push(paceWaitMs);
    cancelWake = delays.length > 0 && !stopped ? world.timers.after(Math.min(...delays) + 1, pump) : () => {};
  }

  /** Stores the decided message, or sends it when it is stored already. */
  function advance(slot: Slot): void {
    const { entry } = slot;
    if (entry.message !== null) {
      if (isWithinPace(entry.message)) slot.inFlight = send(entry.message);
      return;
    }
    if (!decide(slot)) return;
    slot.stored = false;
    const goOn = () => {
      slot.stored = true;
      pump();
    };
    queue.save(slot).then(goOn, (error: unknown) => {
      unsaved(error);
      goOn();
    });
  }

  /** Counts a message that may go now. One that has to wait is not counted, and none goes before it. */
  function isWithinPace(message: MutationMessage): boolean {
    if (pace === null) return true;
    if (paceWaitMs < Infinity) return false;
    const size = sizeOf(message);
    const waitMs = Math.max(pace.mutations.waitMs(), pace.bytes.waitMs(size));
    if (waitMs === 0) return pace.mutations.take() && pace.bytes.take(size);
    paceWaitMs = waitMs;
    return false;
  }

  function decide(slot: Slot): boolean {
    slot.awaiting = null;
    const decision = decideMessage(slot.entry, hub, menu());
    if ("refused" in decision) {
      refuse(slot, decision.refused);
      return false;
    }
    if (isTooLarge(decision.message)) {
      refuse(slot, { errorCode: "PAYLOAD_TOO_LARGE", error: "the order no longer fits one frame", collisions: [] });
      return false;
    }
    slot.entry.message = decision.message;
    return true;
  }

  function retryLater(slot: Slot): void {
    wait(slot, backoffMs(retryBackoff, slot.retries, world.random()));
    slot.retries += 1;
  }

  function wait(slot: Slot, ms: number): void {
    slot.notBefore = world.clock.monotonic() + ms;
  }
}
