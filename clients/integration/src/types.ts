import type { components, operations } from "./api.ts";
import type { routes } from "./routes.ts";

type Schemas = components["schemas"];

export type CreateKey = Schemas["CreateKey"];
export type CreateOrder = Schemas["CreateOrder"];
export type CreateWebhook = Schemas["CreateWebhook"];
export type ErrorCode = Schemas["Error"]["errorCode"];
export type ExternalLine = Schemas["ExternalLine"];
export type FloorPlan = Schemas["FloorPlan"];
export type OrderSummary = Schemas["OrderSummary"];
export type PluginRecord = Schemas["PluginRecord"];
export type PostPluginEvent = Schemas["PostPluginEvent"];
export type Snapshot = Schemas["Snapshot"];
export type StoredOrder = Schemas["StoredOrder"];
export type UpdateOrder = Schemas["UpdateOrder"];
/** `event` tells which of the two it is. */
export type WebhookDelivery = Schemas["OrderDelivery"] | Schemas["TableDelivery"];
export type WebhookSubscription = Schemas["WebhookSubscription"];
export type WrittenOrder = Schemas["WrittenOrder"];

export type RouteName = keyof typeof routes;

type Responses<N extends RouteName> = operations[N]["responses"];
type JsonOf<R> = R extends { content: { "application/json": infer T } } ? T : never;

/** What a good answer of a route is. */
export type Answer<N extends RouteName> = {
  [S in keyof Responses<N>]: S extends 200 | 201 | 202 ? JsonOf<Responses<N>[S]> : never;
}[keyof Responses<N>];
