import { z } from "zod";
import { route } from "../http/http-route.ts";
import { Instant } from "./common.ts";

/** The data that screens read again when the stream names it. */
export const StreamTopic = z.enum([
  "overview",
  "feed",
  "floor_plan",
  "catalogue",
  "orders",
  "terminals",
  "leases",
  "kitchen",
  "item_states",
  "printing",
  "back_office",
  "forward",
  "payments",
  "tills",
  "people",
  "kept_changes",
  "fiscal",
  "keys",
  "webhooks",
  "deliveries",
  "plugins",
  "reservations",
  "settings",
  "backups",
  "data_file",
  "losses",
  "audit",
  "pairing",
  "chain",
  "logs",
]);
export type StreamTopic = z.infer<typeof StreamTopic>;

/**
 * GET /operator/v1/stream, `text/event-stream`: the `data` of each event is one of these, `event` repeats its type. `hello`
 * comes first, then the topics to read again as changes are committed. There is no replay: clients read everything again after
 * a reconnect. Without a manager's token, only the topics overview, feed and floor_plan are named, and no orders.
 */
export const StreamEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), at: Instant, audience: z.enum(["public", "manager"]), hubId: z.string() }),
  /** At most twice a second. `orders` are the references of the orders that changed. */
  z.object({ type: z.literal("changed"), topics: z.array(StreamTopic), orders: z.array(z.string()) }),
  /** Every 10 s. A client treats a stream that is silent for 25 s as dead. */
  z.object({ type: z.literal("ping"), at: Instant }),
  /** The token is no longer valid. The stream ends, and the UI asks to sign in again. */
  z.object({ type: z.literal("signed_out") }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

export const STREAM_PING_MS = 10_000;
export const STREAM_SILENCE_MS = 25_000;

export const streamRoutes = {
  stream: route("GET", "/operator/v1/stream", "public", {
    summary: "Streams which data has changed, after each change.",
    stream: true,
  }),
};
