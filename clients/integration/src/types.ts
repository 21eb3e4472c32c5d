import type { Answers, Schemas } from "./api.ts";

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
/** Discriminated by `event`. */
export type WebhookDelivery = Schemas["OrderDelivery"] | Schemas["TableDelivery"];
export type WebhookSubscription = Schemas["WebhookSubscription"];
export type WrittenOrder = Schemas["WrittenOrder"];

export type RouteName = keyof Answers;

/** The successful response of a route. */
export type Answer<N extends RouteName> = Answers[N];
