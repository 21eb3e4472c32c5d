import { CreateWebhook, SetWebhookSecret } from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import { presentSubscription } from "../../webhooks/subscription-store.ts";
import type { WebhookService } from "../../webhooks/webhook-service.ts";
import { endpoint, ok, type Endpoint } from "../external/endpoint.ts";

export function webhookEndpoints(webhooks: WebhookService): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/webhooks",
      scope: "webhooks:manage",
      async handle({ key }) {
        const list = await webhooks.list();
        return ok({ webhooks: list.map((each) => presentSubscription(each, key.keyId)) });
      },
    }),
    endpoint({
      method: "POST",
      path: "/webhooks",
      scope: "webhooks:manage",
      body: CreateWebhook,
      async handle({ key, body }) {
        const { id, url, events, secret } = await webhooks.create(body, key);
        return { status: 201, body: { id, url, events, secret } };
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/webhooks/:id",
      scope: "webhooks:manage",
      async handle({ key, params: { id = "" } }) {
        if (!(await webhooks.remove(id, key))) throw noSuchWebhook(id);
        return ok({ deleted: true });
      },
    }),
    endpoint({
      method: "POST",
      path: "/webhooks/:id/secret",
      scope: "webhooks:manage",
      body: SetWebhookSecret,
      async handle({ key, params: { id = "" }, body }) {
        const changed = await webhooks.setSecret(id, body.secret, key);
        if (changed === null) throw noSuchWebhook(id);
        const { url, events, secret } = changed;
        return ok({ id, url, events, secret });
      },
    }),
    endpoint({
      method: "POST",
      path: "/webhooks/:id/test",
      scope: "webhooks:manage",
      async handle({ params: { id = "" } }) {
        const result = await webhooks.test(id);
        if (result === null) throw noSuchWebhook(id);
        const { status, error } = result;
        return ok(status === null ? { sent: false, error: error ?? "unreachable" } : { sent: true, status });
      },
    }),
  ];
}

function noSuchWebhook(id: string): HubError {
  return new HubError("NOT_FOUND", `there is no webhook ${id}`);
}
