import type { WebhookAdmin } from "../../operator/webhook-admin.ts";
import { redactUrl } from "../../platform/redact-url.ts";
import { clientGone } from "../client-gone.ts";
import { readCursor } from "../cursor.ts";
import type { OperatorHandlers } from "./operator-routes.ts";
import { requireNumber } from "../require-number.ts";

type Names =
  | "webhooks"
  | "createWebhook"
  | "pauseWebhooks"
  | "updateWebhook"
  | "deleteWebhook"
  | "setWebhookSecret"
  | "testWebhook"
  | "deliveries"
  | "deadLetters"
  | "replayDeliveries"
  | "delivery"
  | "replayDelivery";

/** What the Integrations screen reads and does. */
export function operatorWebhookRoutes(desk: WebhookAdmin): Pick<OperatorHandlers, Names> {
  return {
    webhooks: desk.list,
    async createWebhook({ body, manager }) {
      const { id, url, events, secret } = await desk.create(body, manager.userName);
      return { id, url, events: [...events], secret };
    },
    async pauseWebhooks({ body: { paused }, manager }) {
      await desk.setPaused(paused, manager.userName);
      return { paused };
    },
    updateWebhook: async ({ params, body, manager }) => ({
      webhook: await desk.setEnabled(params.webhookId, body.enabled, manager.userName),
    }),
    async deleteWebhook({ params, manager }) {
      await desk.remove(params.webhookId, manager.userName);
      return { deleted: true };
    },
    async setWebhookSecret({ params, body, manager }) {
      const { id, url, events, secret } = await desk.setSecret(params.webhookId, body.secret, manager.userName);
      return { id, url: redactUrl(url), events: [...events], secret };
    },
    testWebhook: ({ params, manager }) => desk.test(params.webhookId, manager.userName),

    async deliveries({ query, ctx }) {
      const page = await desk.page(query, readCursor(query.cursor), query.limit, clientGone(ctx.res));
      const last = page.deliveries.length === query.limit ? page.deliveries.at(-1) : undefined;
      return { ...page, nextCursor: last === undefined ? null : String(last.id) };
    },
    deadLetters: desk.dead,
    replayDeliveries: async ({ body, manager }) => ({ replayed: await desk.replayDead(body, manager.userName) }),
    delivery: ({ params }) => desk.delivery(requireNumber(params.deliveryId, "delivery")),
    replayDelivery: async ({ params, manager }) => ({
      delivery: await desk.replay(requireNumber(params.deliveryId, "delivery"), manager.userName),
    }),
  };
}
