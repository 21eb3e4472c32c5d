import { callHub } from "../../../lib/hub-client.ts";

export function deleteWebhook(webhookId: string) {
  return callHub("deleteWebhook", { params: { webhookId } });
}
