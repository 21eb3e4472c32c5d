export {
  createIntegrationClient,
  type ClientOptions,
  type CurrentOrder,
  type IntegrationClient,
  type NewOrder,
  type OrderChange,
  type WebhookWithSecret,
} from "./client.ts";
export { HubRefusal, HubUnreachable, WebhookRefused } from "./errors.ts";
export { createKeyAdministration, type KeyAdministrationOptions } from "./key-administration.ts";
export { linesOf } from "./lines.ts";
export type { RetryOptions } from "./retry.ts";
export { routes } from "./routes.ts";
export { verifyWebhook, type VerifyOptions, type WebhookPing } from "./verify-webhook.ts";
