import type { ErrorCode, HubMessageOf } from "@comanda/protocol";
import type { PricedMenu } from "../../orders/reprice-line.ts";
import { backoffMs, rebaseBackoff, retryBackoff } from "../../pace/backoff.ts";
import type { TerminalWorld } from "../../world.ts";
import { isTooLarge } from "../entries/check-intent.ts";
import { decideMessage } from "../entries/decide-message.ts";
import type { HubOrders, LineLookup } from "../entries/hub-orders.ts";
import { createHolds } from "./holds.ts";
import { isContentChange } from "../entries/intent-content.ts";
import { ordersOf, type MutationMessage } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Refuse } from "./refuse.ts";
import { createSendPace } from "./send-pace.ts";
import type { Slot } from "../queue/slot.ts";

/** After this many rebases in a row, other terminals write faster than this one, and a person decides. */
const MAX_REBASES = 20;

export type OutboxSender = ReturnType<typeof createOutboxSender>;

interface SenderDeps {
  queue: OutboxQueue;
  save: OutboxWrites["save"];
  world: TerminalWorld;
  hubOrder: HubOrders;
  elsewhere: LineLookup;
  menu: () => PricedMenu | null;
  /** Returns false if there is no session. */
  send: (message: MutationMessage) => boolean;
  refuse: Refuse;
}

/** Sends the queue: decides each message, stores it, sends it, and delays retries. */
export function createOutboxSender(deps: SenderDeps) {
  const { queue, save, world, hubOrder, elsewhere, menu, send, refuse } = deps;
  const holds = createHolds(queue, hubOrder);
  const pace = createSendPace(world.clock);
  let online = false;
  let stopped = false;
  let cancelWake = () => {};

  return {
    isOnline: () => online,
    limitRate: pace.limit,
    resume(): void {
      online = true;
      pump();
    },
    /** Marks all messages as not sent. Unanswered ones are sent again after `resume`. */
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
    /** Decides the message of a new mutation that can be sent at once, so it is stored only once. */
    decideEarly(slot: Slot): void {
      if (online && holds.sendable(world.clock.monotonic()).includes(slot)) decide(slot);
    },
    /** Notes the hub's answer. `heldBy` is the code of a refusal after which the mutation is sent again. */
    answered(slot: Slot, heldBy: ErrorCode | null): void {
      slot.inFlight = false;
      slot.heldBy = heldBy;
      // The lease holder keeps editing the check, so the message is decided again from the check's later state.
      if (heldBy === "LEASE_HELD" && isContentChange(slot.entry.intent)) decideAgain(slot);
      if (heldBy === "RATE_LIMITED") pace.slowDown();
    },
    retryLater(slot: Slot): void {
      wait(slot, backoffMs(retryBackoff, slot.retries, world.random()));
      slot.retries += 1;
    },
    /** Retries mutations of a check that were refused because another terminal held the lease. */
    leaseEnded(posReference: string): void {
      for (const slot of queue.slots()) {
        if (slot.heldBy !== "LEASE_HELD" || !ordersOf(slot.entry.intent).includes(posReference)) continue;
        slot.notBefore = 0;
        slot.retries = 0;
      }
      pump();
    },
    awaitsCreation: holds.awaitsCreation,
    rebase(slot: Slot, { posReference, hubVersion }: Partial<HubMessageOf<"ORDER_REJECTED">>): void {
      slot.rebases += 1;
      if (slot.rebases > MAX_REBASES) {
        refuse(slot, { errorCode: "CONFLICT", error: "the order keeps changing elsewhere", collisions: [] });
        return;
      }
      decideAgain(slot);
      if (posReference !== undefined && hubVersion !== undefined) slot.awaiting = { posReference, version: hubVersion };
      if (slot.rebases > 1) wait(slot, backoffMs(rebaseBackoff, slot.rebases - 2, world.random()));
    },
    isAwaitingState: holds.isAwaitingState,
  };

  /** The hub will never execute the refused content under its id: rebased content is a new mutation. */
  function decideAgain({ entry }: Slot): void {
    entry.mutationId = world.uuid();
    entry.message = null;
  }

  /** Sends what can be sent now, and sets a timer for what has to wait. */
  function pump(): void {
    cancelWake();
    // Read once: a mutation that becomes due between two reads would be neither sent nor scheduled.
    const now = world.clock.monotonic();
    pace.startOver();
    if (online) for (const slot of holds.sendable(now)) if (slot.stored) advance(slot);
    const delays = [...queue.slots().map(({ notBefore }) => notBefore - now), pace.waitMs()];
    const next = Math.min(...delays.filter((ms) => ms > 0));
    cancelWake = next < Infinity && !stopped ? world.timers.after(next + 1, pump) : () => {};
  }

  /** Stores the decided message, or sends it if it is already stored. */
  function advance(slot: Slot): void {
    const { message } = slot.entry;
    if (message !== null) {
      if (pace.admits(message)) slot.inFlight = send(message);
      return;
    }
    if (!decide(slot)) return;
    slot.stored = false;
    const goOn = () => {
      slot.stored = true;
      pump();
    };
    save(slot).then(goOn, goOn);
  }

  function decide(slot: Slot): boolean {
    slot.awaiting = null;
    const decision = decideMessage(slot.entry, hubOrder, { menu: menu(), elsewhere });
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

  function wait(slot: Slot, ms: number): void {
    slot.notBefore = world.clock.monotonic() + ms;
  }
}
