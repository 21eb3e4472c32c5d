import { callHub } from "../../../lib/hub-client.ts";

export function updateWebhook(webhookId: string, enabled: boolean) {
  return callHub("updateWebhook", { params: { webhookId }, body: { enabled } });
}
