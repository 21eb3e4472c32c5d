import type { WebhookAdmin } from "../../../operator/integrations/webhook-admin.ts";
import { redactUrl } from "../../../platform/redact-url.ts";
import type { WebhookService } from "../../../webhooks/webhook-service.ts";
import { abortOnClose } from "../../abort-on-close.ts";
import { nextCursor, readCursor, requireNumber } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

/** Routes of the Integrations screen. */
export function operatorWebhookRoutes(webhookAdmin: WebhookAdmin, webhooks: WebhookService) {
  return {
    webhooks: webhookAdmin.list,
    async createWebhook({ body, manager }) {
      const { id, url, events, secret } = await webhooks.create(body, manager);
      return { id, url, events: [...events], secret };
    },
    async pauseWebhooks({ body: { paused }, manager }) {
      await webhooks.setPaused(paused, manager);
      return { paused };
    },
    async updateWebhook({ params: { webhookId }, body, manager }) {
      await webhooks.setEnabled(webhookId, body.enabled, manager);
      return { webhook: webhookAdmin.get(webhookId) };
    },
    async deleteWebhook({ params, manager }) {
      await webhooks.remove(params.webhookId, manager);
      return { deleted: true };
    },
    async setWebhookSecret({ params, body, manager }) {
      const { id, url, events, secret } = await webhooks.setSecret(params.webhookId, body.secret, manager);
      return { id, url: redactUrl(url), events: [...events], secret };
    },
    testWebhook: ({ params, body, manager }) => webhookAdmin.test(params.webhookId, body.event, manager.userName),

    async deliveries({ query, ctx }) {
      const page = await webhookAdmin.page(query, readCursor(query.cursor), query.limit, abortOnClose(ctx.res));
      return { ...page, nextCursor: nextCursor(page.deliveries, query.limit, (delivery) => delivery.id) };
    },
    deadLetters: webhookAdmin.dead,
    replayDeliveries: async ({ body: { webhookId: subscriptionId, since }, manager }) => {
      const filter = { subscriptionId, since: since === undefined ? undefined : Date.parse(since) };
      return { replayed: await webhooks.replayDead(filter, manager) };
    },
    delivery: ({ params }) => webhookAdmin.delivery(requireNumber(params.deliveryId, "delivery")),
    replayDelivery: async ({ params, manager }) => ({
      delivery: await webhookAdmin.replay(requireNumber(params.deliveryId, "delivery"), manager.userName),
    }),
  } satisfies Partial<OperatorHandlers>;
}
