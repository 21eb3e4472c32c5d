import { callHub } from "../../../lib/hub-client.ts";

export function testWebhook(webhookId: string) {
  return callHub("testWebhook", { params: { webhookId } });
}
