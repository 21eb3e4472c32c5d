import { type ClockSet, IS_OLDER } from "./clock-set.ts";
import { SLICE_ROWS } from "../../changes/write-in-slices.ts";
import type { Db } from "../../db/open.ts";
import { packBody } from "../../db/rows/pack.ts";
import { WebhookEvent } from "@comanda/protocol";
import type { GatheredRange, Subscription } from "../subscriptions/subscription-rows.ts";

export interface GatheredEvent {
  id: number;
  event: WebhookEvent;
  subject: string;
  content: string;
  createdAt: number;
}

type Gathering = Pick<Subscription, "id" | "events" | "gathered">;

const NO_END = Number.MAX_SAFE_INTEGER;
/** Events packed per write: about those of two checks. */
const PACK_SIZE = 20;

export type GatheredStore = ReturnType<typeof createGatheredStore>;

/** The events of webhooks: those gathered for a receiver without a delivery each, and their packing. */
export function createGatheredStore(db: Db) {
  const IN_RANGE = "id BETWEEN @from AND @to AND event IN (SELECT value FROM json_each(@events))";
  const listFirst = db.prepare<Record<string, unknown>, GatheredEvent>(`
    SELECT id, event, subject, plain(content, packed) AS content, created_at AS createdAt
    FROM webhook_events WHERE ${IN_RANGE} ORDER BY id LIMIT @limit`);
  const count = db
    .prepare<Record<string, unknown>, number>(
      `SELECT count(*) FROM webhook_events INDEXED BY webhook_event_by_name
       WHERE event IN (SELECT value FROM json_each(@events)) AND id BETWEEN @from AND @to`,
    )
    .pluck();
  const firstAt = db
    .prepare<Record<string, unknown>, number>(
      `SELECT created_at FROM webhook_events WHERE id = (
         SELECT min(id) FROM webhook_events INDEXED BY webhook_event_by_name
         WHERE event IN (SELECT value FROM json_each(@events)) AND id BETWEEN @from AND @to)`,
    )
    .pluck();
  const firstSince = db
    .prepare<{ from: number; since: number }, number>(
      "SELECT id FROM webhook_events WHERE id >= @from AND created_at >= @since ORDER BY id LIMIT 1",
    )
    .pluck();
  const last = db.prepare<[], number | null>("SELECT max(id) FROM webhook_events").pluck();
  const asWritten = db.prepare<[number], { id: number; content: string }>(`
    SELECT id, content FROM webhook_events INDEXED BY webhook_event_as_written WHERE packed IS NULL AND created_at < ? ORDER BY created_at
    LIMIT ${PACK_SIZE}`);
  const pack = db.prepare<[Buffer, number]>("UPDATE webhook_events SET content = '', packed = ? WHERE id = ?");
  const keepAge = db.prepare<ClockSet>(`UPDATE webhook_events SET created_at = created_at + @byMs WHERE ${IS_OLDER}`);
  const forgetUnused = db.prepare<{ before: number }>(`
    DELETE FROM webhook_events WHERE id IN (
      SELECT e.id FROM webhook_events e
      WHERE e.created_at < @before AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.event_id = e.id)
        AND NOT EXISTS (
          SELECT 1 FROM webhook_subscriptions s WHERE e.id BETWEEN s.gathered_from AND coalesce(s.gathered_to, e.id))
      ORDER BY e.created_at LIMIT ${SLICE_ROWS})`);
  /** The last count per subscription, so that the next one only counts later events. */
  const counted = new Map<string, { from: number; upTo: number; n: number }>();

  return {
    /** The first events gathered for a subscription, at most `limit`. */
    listFirst: (subscription: Gathering, limit: number): GatheredEvent[] =>
      subscription.gathered === null ? [] : listFirst.all({ ...bounds(subscription, subscription.gathered), limit }),

    count(subscription: Gathering): number {
      const { id, gathered } = subscription;
      if (gathered === null) return 0;
      const { from, to, events } = bounds(subscription, gathered);
      const upTo = Math.min(to, last.get() ?? 0);
      const counter = counted.get(id);
      const before = counter?.from === from && counter.upTo <= upTo ? counter : { upTo: from - 1, n: 0 };
      const n = before.n + (count.get({ from: before.upTo + 1, to: upTo, events }) ?? 0);
      counted.set(id, { from, upTo, n });
      return n;
    },
    /** When the oldest gathered event occurred; null if there are none. */
    oldestAt: (subscription: Gathering): number | null =>
      subscription.gathered === null ? null : (firstAt.get(bounds(subscription, subscription.gathered)) ?? null),

    /** Returns the range without the events before a time, or null if none are left. */
    since({ gathered }: Gathering, time: number): GatheredRange | null {
      if (gathered === null) return null;
      const from = firstSince.get({ from: gathered.from, since: time });
      return from === undefined || from > (gathered.to ?? NO_END) ? null : { ...gathered, from };
    },
    /** Returns the range closed at the newest event, so that later events do not belong to it. */
    closed: (gathered: GatheredRange | null): GatheredRange | null =>
      gathered === null ? null : { from: gathered.from, to: gathered.to ?? last.get() ?? gathered.from },

    /** Moves the creation times with the clock. */
    keepAge: (set: ClockSet): void => void keepAge.run(set),
    /** Packs some of the events from before a time. Returns how many. */
    packSome(before: number): number {
      const rows = asWritten.all(before);
      for (const { id, content } of rows) pack.run(packBody(content), id);
      return rows.length;
    },
    /** Deletes events from before a time that no subscription needs, at most `SLICE_ROWS`. Returns how many. */
    forgetUnused: (before: number): number => forgetUnused.run({ before }).changes,
  };
}

function bounds({ events }: Gathering, { from, to }: GatheredRange): { from: number; to: number; events: string } {
  const subscribed = events[0] === "*" ? WebhookEvent.options : events;
  return { from, to: to ?? NO_END, events: JSON.stringify(subscribed) };
}
