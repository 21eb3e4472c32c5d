import type { WebhookAdmin } from "../../operator/integrations/webhook-admin.ts";
import { redactUrl } from "../../platform/redact-url.ts";
import { clientGone } from "../client-gone.ts";
import { nextCursor, readCursor, requireNumber } from "../cursor.ts";
import type { OperatorHandlers } from "../handlers.ts";

/** What the Integrations screen reads and does. */
export function operatorWebhookRoutes(webhookAdmin: WebhookAdmin) {
  return {
    webhooks: webhookAdmin.list,
    async createWebhook({ body, manager }) {
      const { id, url, events, secret } = await webhookAdmin.create(body, manager.userName);
      return { id, url, events: [...events], secret };
    },
    async pauseWebhooks({ body: { paused }, manager }) {
      await webhookAdmin.setPaused(paused, manager.userName);
      return { paused };
    },
    updateWebhook: async ({ params, body, manager }) => ({
      webhook: await webhookAdmin.setEnabled(params.webhookId, body.enabled, manager.userName),
    }),
    async deleteWebhook({ params, manager }) {
      await webhookAdmin.remove(params.webhookId, manager.userName);
      return { deleted: true };
    },
    async setWebhookSecret({ params, body, manager }) {
      const { id, url, events, secret } = await webhookAdmin.setSecret(params.webhookId, body.secret, manager.userName);
      return { id, url: redactUrl(url), events: [...events], secret };
    },
    testWebhook: ({ params, body, manager }) => webhookAdmin.test(params.webhookId, body.event, manager.userName),

    async deliveries({ query, ctx }) {
      const page = await webhookAdmin.page(query, readCursor(query.cursor), query.limit, clientGone(ctx.res));
      return { ...page, nextCursor: nextCursor(page.deliveries, query.limit, (delivery) => delivery.id) };
    },
    deadLetters: webhookAdmin.dead,
    replayDeliveries: async ({ body, manager }) => ({
      replayed: await webhookAdmin.replayDead(body, manager.userName),
    }),
    delivery: ({ params }) => webhookAdmin.delivery(requireNumber(params.deliveryId, "delivery")),
    replayDelivery: async ({ params, manager }) => ({
      delivery: await webhookAdmin.replay(requireNumber(params.deliveryId, "delivery"), manager.userName),
    }),
  } satisfies Partial<OperatorHandlers>;
}
