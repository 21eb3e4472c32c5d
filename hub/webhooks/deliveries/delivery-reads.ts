import type { DeliveryState, WebhookError, WebhookEvent } from "@comanda/protocol";
import type { Total } from "../../db/rows/count-up-to.ts";
import type { Db } from "../../db/open.ts";
import { readRow } from "../../db/rows/read-row.ts";
import { MAX_ATTEMPTS } from "./backoff.ts";
import { CONTENT, UNDER_WAY } from "./delivery-queue.ts";
import { countDeliveries, findDeliveries, type DeliveryFilter, type DeliveryPage } from "./find-deliveries.ts";

/** The delivery of one event to one subscription, as shown to the operator. Times are ms since 1970. */
export interface Delivery {
  id: number;
  subscriptionId: string;
  event: WebhookEvent;
  /** The order or table of the event. */
  subject: string;
  state: DeliveryState;
  attempts: number;
  createdAt: number;
  /** When the next attempt is due; null if settled or under way. */
  nextAttemptAt: number | null;
  lastStatus: number | null;
  lastError: WebhookError | null;
}

export interface Attempt {
  /** Counted from 1. */
  attempt: number;
  /** When the attempt began. */
  at: number;
  /** Null if there was no answer. */
  status: number | null;
  /** Why there was no answer, or null. */
  error: WebhookError | null;
  ms: number;
  /** The first 4 KiB of the answer. */
  answer: string | null;
}

/** The counts of one subscription, for the list of webhooks. Times are ms since 1970. */
export interface SubscriptionCounts {
  pending: number;
  nextAttemptAt: number | null;
  deadLettered: number;
  /** Deliveries with at most two attempts left. */
  nearlyDead: number;
}

export interface DeadGroup {
  subscriptionId: string;
  reason: WebhookError;
  /** The status of the last answer; null if there was none. */
  status: number | null;
  count: number;
  oldestAt: number;
}

const COLUMNS = `
  d.id, d.subscription_id AS subscriptionId, d.event, d.subject, d.state, d.attempts, d.created_at AS createdAt,
  CASE WHEN d.state = 'pending' AND d.next_attempt_at < ${UNDER_WAY} THEN d.next_attempt_at END AS nextAttemptAt,
  (SELECT a.status FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1) AS lastStatus,
  (SELECT a.error FROM webhook_attempts a WHERE a.delivery_id = d.id ORDER BY a.id DESC LIMIT 1) AS lastError`;

/** Reads deliveries for managers and integrations. */
export function createDeliveryReads(db: Db) {
  const pending = db.prepare<[], { n: number }>("SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'pending'");
  const oldestPending = db.prepare<[], { at: number | null }>(
    "SELECT min(created_at) AS at FROM webhook_deliveries WHERE state = 'pending'",
  );
  const deadLettered = db.prepare<[], { n: number }>(
    "SELECT count(*) AS n FROM webhook_deliveries WHERE state = 'dead'",
  );
  const pendingOf = db.prepare<[string], Omit<SubscriptionCounts, "deadLettered">>(`
    SELECT count(*) AS pending,
      min(next_attempt_at) FILTER (WHERE next_attempt_at < ${UNDER_WAY}) AS nextAttemptAt,
      count(*) FILTER (WHERE attempts >= ${MAX_ATTEMPTS - 2}) AS nearlyDead
    FROM webhook_deliveries WHERE subscription_id = ? AND state = 'pending'`);
  const deadOf = db.prepare<[string], { n: number }>(
    "SELECT count(*) AS n FROM webhook_deliveries WHERE subscription_id = ? AND state = 'dead'",
  );
  const get = db.prepare<[number], Delivery>(`SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.id = ?`);
  const content = db.prepare<[number], { content: string }>(`
    SELECT ${CONTENT} FROM webhook_deliveries d JOIN webhook_events e ON e.id = d.event_id WHERE d.id = ?`);
  const listBySubject = db.prepare<[string], Delivery>(
    `SELECT ${COLUMNS} FROM webhook_deliveries d WHERE d.subject = ? ORDER BY d.id`,
  );
  const listAttempts = db.prepare<[number], Omit<Attempt, "attempt">>(
    "SELECT at, status, error, ms, answer FROM webhook_attempts WHERE delivery_id = ? ORDER BY id",
  );
  const listDeadGroups = db.prepare<[], DeadGroup>(`
    SELECT subscription_id AS subscriptionId, coalesce(dead_error, 'interrupted') AS reason, dead_status AS status,
      count(*) AS count, min(created_at) AS oldestAt
    FROM webhook_deliveries WHERE state = 'dead'
    GROUP BY subscription_id, dead_error, dead_status ORDER BY count(*) DESC`);

  return {
    counts: (): Pick<SubscriptionCounts, "pending" | "deadLettered"> => ({
      pending: pending.get()?.n ?? 0,
      deadLettered: deadLettered.get()?.n ?? 0,
    }),
    /** Counts a subscription's pending and dead-lettered deliveries. */
    countBySubscription(id: string): SubscriptionCounts {
      const waiting = pendingOf.get(id) ?? { pending: 0, nextAttemptAt: null, nearlyDead: 0 };
      return { ...waiting, deadLettered: deadOf.get(id)?.n ?? 0 };
    },
    /** When the oldest pending delivery was queued; null if none is pending. */
    oldestPendingAt: (): number | null => oldestPending.get()?.at ?? null,
    listDeadGroups: (): DeadGroup[] => listDeadGroups.all(),

    /** All deliveries about an order or table, oldest first. */
    listBySubject: (subject: string): Delivery[] => listBySubject.all(subject),
    /** One page, newest first. */
    list: (filter: DeliveryPage): Delivery[] => findDeliveries(db, filter).flatMap((id) => get.get(id) ?? []),
    count: (filter: DeliveryFilter): Total => countDeliveries(db, filter),
    get: (id: number): Delivery | null => get.get(id) ?? null,
    /** The body, byte for byte as sent. */
    body: (id: number): string | null => readRow(content.get(id), (row) => deliveryBody(id, row.content)),
    listAttempts: (id: number): Attempt[] => listAttempts.all(id).map((row, index) => ({ attempt: index + 1, ...row })),
  };
}

/** Returns the body of a delivery: its id, then the content shared by all subscriptions to the event. */
export function deliveryBody(id: number, content: string): string {
  return `{"id":${id},${content.slice(1)}`;
}
