import type { DeliveryState } from "@comanda/protocol";
import { countUpTo, type FoundIds, type Total } from "../../db/rows/count-up-to.ts";
import type { Db } from "../../db/open.ts";
import { defineQuery } from "../../jobs/job.ts";

export interface DeliveryFilter {
  subscriptionId?: string | undefined;
  state?: DeliveryState | undefined;
  event?: string | undefined;
  /** Part of the order reference, ignoring case and accents. */
  search?: string | undefined;
  /** Subjects of the tables whose name contains the search. */
  subjects?: readonly string[] | undefined;
}

/** Newest first, below the last id of the previous page. */
export type DeliveryPage = DeliveryFilter & { below?: number | undefined; limit: number };

/** Whether the query may have to read every delivery. */
export const isDeliverySearch = ({ event, search }: DeliveryFilter): boolean =>
  event !== undefined || search !== undefined;

/** Index of each rare state. Delivered, the common state, has none. */
const indexOf = {
  pending: "webhook_delivery_by_due",
  dead: "webhook_delivery_dead",
  parked: "webhook_delivery_parked",
} as const;

export function findDeliveries(db: Db, { below, limit, ...filter }: DeliveryPage): number[] {
  const sql = `SELECT id ${selection(filter)} AND id < @below ORDER BY id DESC LIMIT @limit`;
  return db
    .prepare<Record<string, unknown>, number>(sql)
    .pluck()
    .all({ ...parameters(filter), below: below ?? Number.MAX_SAFE_INTEGER, limit });
}

/** Counts matching deliveries: exactly, or up to the limit of `countUpTo` in a search by event or subject. */
export function countDeliveries(db: Db, filter: DeliveryFilter): Total {
  if (isDeliverySearch(filter)) {
    return countUpTo(db, `SELECT 1 ${selection(filter)}`, parameters(filter));
  }
  const count = (state: DeliveryState | undefined): number => {
    const counted = { ...filter, state };
    return (
      db
        .prepare<unknown[], number>(`SELECT count(*) ${selection(counted)}`)
        .pluck()
        .get(counted) ?? 0
    );
  };
  if (filter.state !== "delivered") return { total: count(filter.state) };
  return { total: count(undefined) - count("pending") - count("dead") - count("parked") };
}

/** A table's subject contains its id, which is shown nowhere, so tables are matched by name. */
const MATCHES = `(CASE WHEN event = 'table.updated' THEN subject IN (SELECT value FROM json_each(@subjects))
  ELSE instr(fold(subject), fold(@search)) > 0 END)`;

const parameters = ({ subjects = [], ...filter }: DeliveryFilter) => ({
  ...filter,
  subjects: JSON.stringify(subjects),
});

function selection({ subscriptionId, state, event, search }: DeliveryFilter): string {
  const index = state === undefined || state === "delivered" ? "" : ` INDEXED BY ${indexOf[state]}`;
  const conditions = [
    ...(state === undefined ? [] : [`state = '${state}'`]),
    ...(subscriptionId === undefined ? [] : ["subscription_id = @subscriptionId"]),
    ...(event === undefined ? [] : ["event = @event"]),
    ...(search === undefined ? [] : [MATCHES]),
  ];
  return `FROM webhook_deliveries${index} WHERE ${conditions.length === 0 ? "true" : conditions.join(" AND ")}`;
}

/** Returns a page of webhook deliveries by event or subject, and the count. */
export const findWebhookDeliveriesJob = defineQuery(
  "findWebhookDeliveries",
  (db, { page }: { file: string; page: DeliveryPage }): FoundIds => {
    const { below: _, limit: __, ...filter } = page;
    return { ids: findDeliveries(db, page), ...countDeliveries(db, filter) };
  },
);
