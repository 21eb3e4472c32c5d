import { isoTime, type World } from "../platform/world.ts";
import { deliveryHeaders } from "./delivery-headers.ts";
import type { Exchange, Sender } from "./sender.ts";
import type { SubscriptionWithSecret } from "./subscription-store.ts";

const TIMEOUT_MS = 5_000;

/** Sends one signed ping; nothing is queued or retried. */
export function ping(world: World, sender: Sender, subscription: SubscriptionWithSecret): Promise<Exchange> {
  const at = world.clock.now();
  const event = "webhook.test";
  const data = { subscriptionId: subscription.id };
  const body = Buffer.from(JSON.stringify({ id: "test", event, timestamp: isoTime(at), data }));
  const headers = deliveryHeaders({ id: "test", event, secret: subscription.secret, at, body });
  return sender.post({ url: subscription.url, headers, body, at, timeoutMs: TIMEOUT_MS });
}
