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
export type {
  CreateKey,
  CreateOrder,
  CreateWebhook,
  ErrorCode,
  ExternalLine,
  FloorPlan,
  OrderSummary,
  PluginRecord,
  PostPluginEvent,
  Snapshot,
  StoredOrder,
  UpdateOrder,
  WebhookDelivery,
  WebhookSubscription,
  WrittenOrder,
} from "./types.ts";
export { verifyWebhook, type VerifyOptions, type WebhookPing, type WebhookSample } from "./verify-webhook.ts";
