import { z } from "zod";
import type { Snapshot } from "./orders.ts";
import type { TableStatus } from "./tables.ts";

export const WebhookEvent = z.enum(["order.created", "order.updated", "order.paid", "order.deleted", "table.updated"]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** POST /external/v1/webhooks. No events, an empty list, or `["*"]` mean all of them. */
export const CreateWebhook = z.strictObject({
  url: z.string().max(2048).refine(isHttpUrl, { error: "must be an http or https address" }),
  events: z
    .array(z.union([WebhookEvent, z.literal("*")], { error: "no such webhook event" }))
    .max(20)
    .optional(),
});
export type CreateWebhook = z.infer<typeof CreateWebhook>;

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "";
}

/** A subscription as it is listed; its secret is shown at creation only. */
export interface WebhookSubscription {
  id: string;
  url: string;
  events: (WebhookEvent | "*")[];
  enabled: boolean;
  createdBy: string;
  createdAt: string;
}

/** `data` of an order event. */
export interface OrderEventData {
  posReference: string;
  version: number;
  origin: string;
  snapshot: Snapshot;
}

/** `data` of `table.updated`. */
export interface TableEventData {
  tableId: number;
  status: TableStatus;
  posReference: string | null;
  origin: string;
}

/** The body of one delivery; `id` is stable across its retries. */
export interface WebhookDelivery {
  id: number;
  event: WebhookEvent;
  timestamp: string;
  data: OrderEventData | TableEventData;
}
