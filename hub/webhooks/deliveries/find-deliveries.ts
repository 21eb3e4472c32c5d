import type { DeliveryState } from "@comanda/protocol";
import { countUpTo, type FoundIds, type Total } from "../../db/rows/count-up-to.ts";
import type { Db } from "../../db/open.ts";
import { defineQuery } from "../../jobs/job.ts";

export interface DeliveryFilter {
  subscriptionId?: string | undefined;
  state?: DeliveryState | undefined;
  event?: string | undefined;
  /** Part of the order reference, whatever its case and accents. */
  search?: string | undefined;
  /** Of tables whose name contains the search. */
  subjects?: readonly string[] | undefined;
}

/** Newest first, below the id where the page before ended. */
export type DeliveryPage = DeliveryFilter & { below?: number | undefined; limit: number };

/** Whether every delivery may have to be looked at. */
export const isDeliverySearch = ({ event, search }: DeliveryFilter): boolean =>
  event !== undefined || search !== undefined;

/** States of few deliveries have an index of their own; whatever else there is was delivered. */
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

/** How many there are: all of them, or, by event or part of a subject, as many as are counted. */
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

/** The subject of a table has its id, which nobody sees. */
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

/** A page of webhook deliveries by event or subject, and how many there are. */
export const findWebhookDeliveriesJob = defineQuery(
  "findWebhookDeliveries",
  (db, { page }: { file: string; page: DeliveryPage }): FoundIds => {
    const { below: _, limit: __, ...filter } = page;
    return { ids: findDeliveries(db, page), ...countDeliveries(db, filter) };
  },
);
