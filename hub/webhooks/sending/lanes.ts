import { deliveryHeaders } from "./delivery-headers.ts";
import type { Claimed } from "../deliveries/delivery-queue.ts";
import { deliveryBody } from "../deliveries/delivery-reads.ts";
import type { Exchange, Sender } from "./sender.ts";
import { isTrusted } from "../subscriptions/pauses.ts";
import type { SubscriptionWithSecret } from "../subscriptions/subscription-rows.ts";
import { canDeliver } from "../subscriptions/subscription-store.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

const TIMEOUT_MS = 10_000;
/** Deliveries in flight to one receiver and to all together. Every receiver gets at least one. */
const IN_FLIGHT_EACH = 16;
const IN_FLIGHT_ALL = 512;
/** Deliveries claimed into memory per receiver, including those in flight. The rest waits in the data file. */
const CLAIMED_EACH = 64;
/** The same limit for a receiver that has not answered yet or failed last: most of them never will. */
const CLAIMED_UNTRUSTED = 4;

/** The claimed deliveries of one receiver. */
export interface Lane {
  readonly subscriptionId: string;
  readonly waiting: Claimed[];
  inFlight: number;
  /** Whether more is due in the data file; new deliveries then wait behind it. */
  hasBacklog: boolean;
}

/** The result of a claimed delivery; `exchange` is null if no attempt began. */
export interface Result {
  lane: Lane;
  claimed: Claimed;
  exchange: Exchange | null;
}

export type Lanes = ReturnType<typeof createLanes>;

/**
 * Sends claimed deliveries and reports each result. Each receiver has its own lane, so that a slow one does not delay the rest.
 */
export function createLanes(
  deps: Pick<WebhookDeps, "world" | "subscriptions"> & {
    sender: Sender;
    /** While false, waiting deliveries are reported without an attempt. */
    isSending: () => boolean;
    onResult: (result: Result) => void;
  },
) {
  const { world, subscriptions, sender, isSending, onResult } = deps;
  const lanes = new Map<string, Lane>();
  const attempts = new Set<Promise<void>>();

  function laneOf(subscriptionId: string): Lane {
    const lane = lanes.get(subscriptionId) ?? { subscriptionId, waiting: [], inFlight: 0, hasBacklog: false };
    lanes.set(subscriptionId, lane);
    return lane;
  }

  function sendWaiting(lane: Lane): void {
    const maxInFlight = Math.max(1, Math.min(IN_FLIGHT_EACH, Math.floor(IN_FLIGHT_ALL / lanes.size)));
    while (lane.inFlight < maxInFlight || !isSending()) {
      const claimed = lane.waiting.shift();
      if (claimed === undefined) return;
      const subscription = subscriptions.get(lane.subscriptionId);
      if (isSending() && canDeliver(subscription)) start(lane, subscription, claimed);
      else onResult({ lane, claimed, exchange: null });
    }
  }

  function start(lane: Lane, subscription: SubscriptionWithSecret, claimed: Claimed): void {
    lane.inFlight += 1;
    const attempt = post(subscription, claimed).then((exchange) => {
      lane.inFlight -= 1;
      attempts.delete(attempt);
      // Starts the next delivery before the result is saved.
      sendWaiting(lane);
      onResult({ lane, claimed, exchange });
    });
    attempts.add(attempt);
  }

  function post(subscription: SubscriptionWithSecret, { id, event, content }: Claimed): Promise<Exchange> {
    // The same bytes are signed and sent.
    const body = Buffer.from(deliveryBody(id, content));
    const at = world.clock.now();
    const headers = deliveryHeaders({ id, event, secret: subscription.secret, at, body });
    return sender.post({ url: subscription.url, headers, body, at, timeoutMs: TIMEOUT_MS });
  }

  return {
    get: laneOf,
    /** How many more deliveries may be claimed for a lane. */
    room({ subscriptionId, waiting, inFlight }: Lane): number {
      const maxClaims = isTrusted(subscriptions.health(subscriptionId)) ? CLAIMED_EACH : CLAIMED_UNTRUSTED;
      return maxClaims - waiting.length - inFlight;
    },
    isIdle: (): boolean => attempts.size === 0,
    send(lane: Lane, claimed: readonly Claimed[]): void {
      lane.waiting.push(...claimed);
      sendWaiting(lane);
    },
    /** Reports waiting deliveries without an attempt. Called after sending has stopped. */
    giveBack: (): void => lanes.forEach(sendWaiting),
    /** Drops the lane of a subscription that gets no more deliveries, if it is empty. */
    drop(subscriptionId: string): void {
      const lane = lanes.get(subscriptionId);
      if (lane?.inFlight === 0 && lane.waiting.length === 0) lanes.delete(subscriptionId);
    },
    /** Resolves when no attempt is in flight. */
    async settled(): Promise<void> {
      await Promise.all(attempts);
    },
  };
}
