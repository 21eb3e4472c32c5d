import { hideCredentials } from "../../../platform/url-credentials.ts";
import { presentSubscription } from "../../../webhooks/subscriptions/subscription-store.ts";
import type { WebhookService } from "../../../webhooks/webhook-service.ts";
import type { ExternalHandlers } from "../../handlers.ts";

export function externalWebhookRoutes(webhooks: WebhookService) {
  return {
    async listWebhooks({ key }) {
      const list = await webhooks.list();
      return { webhooks: list.map((each) => presentSubscription(each, key.keyId, webhooks.pausedUntil(each))) };
    },
    async createWebhook({ key, body }) {
      const { id, url, events, secret } = await webhooks.create(body, key);
      return { id, url: hideCredentials(url), events: [...events], secret };
    },
    async deleteWebhook({ key, params: { id } }) {
      await webhooks.remove(id, key);
      return { deleted: true };
    },
    async setWebhookSecret({ key, params: { id }, body }) {
      const { url, events, secret } = await webhooks.setSecret(id, body.secret, key);
      return { id, url: hideCredentials(url), events: [...events], secret };
    },
    async testWebhook({ params: { id } }) {
      const { status, error } = await webhooks.test(id);
      return status === null ? { sent: false, error: error ?? "unreachable" } : { sent: true, status };
    },
  } satisfies Partial<ExternalHandlers>;
}
