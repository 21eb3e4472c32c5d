import type { WebhookEvent } from "@comanda/protocol";
import { logEvent } from "../platform/log-event.ts";
import { isoTime } from "../platform/world.ts";
import { deliveryHeaders } from "./sending/delivery-headers.ts";
import type { Dispatcher } from "./sending/dispatcher.ts";
import { sampleData } from "./sample-events.ts";
import type { Exchange, Sender } from "./sending/sender.ts";
import type { WebhookDeps } from "./sending/webhook-deps.ts";

const TIMEOUT_MS = 5_000;

/** The result of a test: a status or an error, and the request, which is null if it could not be signed. */
type TestResult = Pick<Exchange, "status" | "error" | "ms" | "answer"> & {
  request: ReturnType<typeof signedTest> | null;
};

/** Tests whether a receiver answers, without queueing a delivery. */
export function createWebhookTests(
  deps: Pick<WebhookDeps, "world" | "changes" | "subscriptions"> & {
    dispatcher: Pick<Dispatcher, "wake">;
    sender: Sender;
  },
) {
  const { world, changes, subscriptions, dispatcher, sender } = deps;

  /** Ends a receiver's pause, so that deliveries are tried again at once. */
  async function resume(id: string): Promise<void> {
    if (subscriptions.health(id).consecutiveFailures === 0) return;
    await changes.write((tx) => {
      subscriptions.resume(id);
      tx.notify(["webhooks"]);
    });
    dispatcher.wake();
  }

  return {
    /** Sends one signed ping, or a sample of an event. Nothing is queued or retried. */
    async test(id: string, event?: WebhookEvent): Promise<TestResult> {
      const { secret, url } = subscriptions.require(id);
      if (secret === null) return { status: null, error: "needs_secret", ms: 0, answer: null, request: null };
      const at = world.clock.now();
      const request = signedTest({ subscriptionId: id, secret, event, at });
      const exchange = await sender.post({ url, ...request, at, timeoutMs: TIMEOUT_MS });
      const { status, error, detail } = exchange;
      if (status !== null && status >= 200 && status < 300) await resume(id);
      if (error !== null)
        world.log.info(
          logEvent("webhook_test_unanswered", { webhook: id, status, error, detail }),
          "a webhook test was not answered",
        );
      return { ...exchange, request };
    },
  };
}

/** Returns the headers and body of a test: `webhook.test`, or a sample of an event. Both have the id `test`. */
function signedTest(test: { subscriptionId: string; secret: string; event: WebhookEvent | undefined; at: number }) {
  const { subscriptionId, secret, event = "webhook.test", at } = test;
  const data = event === "webhook.test" ? { subscriptionId } : sampleData(event, at);
  const mark = event === "webhook.test" ? {} : { test: true };
  const body = Buffer.from(JSON.stringify({ id: "test", event, timestamp: isoTime(at), data, ...mark }));
  return { headers: deliveryHeaders({ id: "test", event, secret, at, body }), body };
}
