import type { Answers } from "./api.ts";

/** Every call of the API. A test compares it with the OpenAPI description. */
export const routes = {
  listKeys: ["GET", "/external-keys"],
  createKey: ["POST", "/external-keys"],
  updateKey: ["PATCH", "/external-keys/{keyId}"],
  deleteKey: ["DELETE", "/external-keys/{keyId}"],
  readSession: ["GET", "/external/v1/session"],
  listTables: ["GET", "/external/v1/tables"],
  readFloorPlan: ["GET", "/external/v1/floor-plan"],
  readMenu: ["GET", "/external/v1/menu"],
  listOrders: ["GET", "/external/v1/orders"],
  readOrder: ["GET", "/external/v1/orders/{ref}"],
  createOrder: ["POST", "/external/v1/orders"],
  updateOrder: ["PATCH", "/external/v1/orders/{ref}"],
  listWebhooks: ["GET", "/external/v1/webhooks"],
  createWebhook: ["POST", "/external/v1/webhooks"],
  deleteWebhook: ["DELETE", "/external/v1/webhooks/{id}"],
  setWebhookSecret: ["POST", "/external/v1/webhooks/{id}/secret"],
  testWebhook: ["POST", "/external/v1/webhooks/{id}/test"],
  listPluginEvents: ["GET", "/external/v1/plugins/{pluginId}/events"],
  readPluginEvent: ["GET", "/external/v1/plugins/{pluginId}/events/{key}"],
  postPluginEvent: ["POST", "/external/v1/plugins/{pluginId}/events"],
  deletePluginEvent: ["DELETE", "/external/v1/plugins/{pluginId}/events/{key}"],
} as const satisfies Record<keyof Answers, readonly [string, string]>;
