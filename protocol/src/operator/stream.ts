import { z } from "zod";
import { route } from "../http-route.ts";
import { Instant } from "./common.ts";
import { PlanTable } from "./floor.ts";
import { OperatorTicket } from "./kitchen.ts";
import { OrderRow } from "./orders.ts";
import { FeedEntry, Overview } from "./overview.ts";
import { LogLevel, LogLine } from "./system.ts";
import { OperatorTerminal } from "./terminals.ts";

/** Lists of which the stream says only that they are to be read again. */
export const StreamTopic = z.enum([
  "floor_plan",
  "orders",
  "terminals",
  "leases",
  "kitchen",
  "item_states",
  "back_office",
  "forward",
  "payments",
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
]);
export type StreamTopic = z.infer<typeof StreamTopic>;

/** `logs`: also send log lines of this level and above (a manager's stream only). */
export const StreamQuery = z.strictObject({ logs: LogLevel.optional() });

/**
 * GET /operator/v1/stream, `text/event-stream`: the `data` of each event is one of these, `event` repeats its type.
 * `hello` comes first, an `overview` right behind it, then changes as they are committed. There is no replay: after a
 * reconnect the lists are read again. Without a manager token only hello, overview, table, feed, changed (floor_plan) and ping
 * are sent, each without its `detail`.
 */
export const StreamEvent = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello"), at: Instant, audience: z.enum(["public", "manager"]), hubId: z.string() }),
  /** At most twice a second. */
  z.object({ type: z.literal("overview"), overview: Overview }),
  z.object({ type: z.literal("table"), table: PlanTable }),
  z.object({ type: z.literal("order"), order: OrderRow }),
  z.object({ type: z.literal("order_removed"), posReference: z.string(), version: z.int() }),
  z.object({ type: z.literal("terminal"), terminal: OperatorTerminal }),
  z.object({ type: z.literal("ticket"), ticket: OperatorTicket }),
  z.object({ type: z.literal("feed"), entry: FeedEntry }),
  /** At most twice a second for one topic. */
  z.object({ type: z.literal("changed"), topics: z.array(StreamTopic) }),
  z.object({ type: z.literal("log"), line: LogLine }),
  /** Every 10 s; a stream silent for 25 s is dead. */
  z.object({ type: z.literal("ping"), at: Instant }),
  /** The token is dead: the stream ends and the UI asks to sign in again. */
  z.object({ type: z.literal("signed_out") }),
]);
export type StreamEvent = z.infer<typeof StreamEvent>;

export const STREAM_PING_MS = 10_000;
export const STREAM_SILENCE_MS = 25_000;

export const streamRoutes = {
  stream: route("GET", "/operator/v1/stream", "public", {
    summary: "Streams every change as it is committed.",
    query: StreamQuery,
    stream: true,
  }),
};
