import type { Change, Listener, Recorder, Tx } from "../../changes/change.ts";
import { isoTime } from "../../platform/world.ts";
import { MAX_ATTEMPTS } from "../deliveries/backoff.ts";
import type { Claimed } from "../deliveries/delivery-queue.ts";
import { eventOf } from "./event-of.ts";
import type { Gathering } from "./gathering.ts";
import type { Lane, Lanes } from "./lanes.ts";
import type { Subscription } from "../subscriptions/subscription-rows.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** Deliveries of one lane whose attempt is already counted. */
interface Claim {
  lane: Lane;
  claimed: Claimed[];
}

export type Claims = ReturnType<typeof createClaims>;

/** Claims the deliveries to send next: counts their attempt in a transaction and sends them after its commit. */
export function createClaims(
  deps: Pick<WebhookDeps, "subscriptions" | "deliveries"> & {
    lanes: Lanes;
    gathering: Gathering;
    canSend: (subscription: Subscription | null) => boolean;
  },
) {
  const { subscriptions, deliveries, lanes, gathering, canSend } = deps;
  const claimedBy = new WeakMap<Change, Claim[]>();

  /**
   * Claims the delivery in the transaction of its change if the receiver keeps up. A separate claim would be a third commit and
   * double the time until the delivery is sent.
   */
  const record: Recorder = (change, tx) => {
    const webhookEvent = eventOf(change);
    if (webhookEvent === null) return;
    const { event, subject, dataJson } = webhookEvent;
    const subscribers = subscriptions.listSubscribers(event);
    if (subscribers.length === 0) return;
    const content = `{"event":"${event}","timestamp":"${isoTime(tx.now)}","data":${dataJson()}}`;
    const eventId = deliveries.addEvent({ event, content, subject }, tx.now);
    const claims: Claim[] = [];
    for (const subscription of subscribers) {
      if (gathering.takes(subscription, eventId)) continue;
      const { id: subscriptionId } = subscription;
      const lane = lanes.get(subscriptionId);
      const isClaimed = canSend(subscription) && gathering.keepsUp(subscription);
      const id = deliveries.add({ subscriptionId, eventId, event, subject, now: tx.now }, isClaimed);
      if (isClaimed) claims.push({ lane, claimed: [{ id, event, content, attempts: 1 }] });
      else lane.hasBacklog = true;
    }
    claimedBy.set(change, claims);
  };

  const announce: Listener = (group) => {
    for (const change of group) send(claimedBy.get(change) ?? []);
  };

  function send(claims: readonly Claim[]): void {
    for (const { lane, claimed } of claims) lanes.send(lane, claimed);
  }

  function claimNext(tx: Tx, lane: Lane): Claimed[] {
    const subscription = subscriptions.get(lane.subscriptionId);
    if (subscription === null || !canSend(subscription)) return [];
    return gathering.claim(tx, lane, subscription).filter(({ id, attempts }) => {
      // Its last attempt was interrupted by the hub's end.
      const isExhausted = attempts > MAX_ATTEMPTS;
      if (isExhausted) deliveries.settleDead(id, tx.now);
      return !isExhausted;
    });
  }

  return {
    record,
    announce,
    send,
    /** Claims the next deliveries of the given lanes. */
    claimFor: (tx: Tx, some: Iterable<Lane>): Claim[] =>
      Array.from(some, (lane) => ({ lane, claimed: claimNext(tx, lane) })),
  };
}
