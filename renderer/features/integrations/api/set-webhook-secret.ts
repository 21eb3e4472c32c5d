import { callHub } from "../../../lib/hub-client.ts";

/** Has the hub make a new secret, which is answered this once. */
export function setWebhookSecret(webhookId: string) {
  return callHub("setWebhookSecret", { params: { webhookId }, body: {} });
}
