import { foldText, type ForwardEventState } from "@comanda/protocol";
import { countUpTo, type FoundIds, likePart, type Total } from "../db/rows/count-up-to.ts";
import type { Db } from "../db/open.ts";
import { messageSql } from "../db/rows/sentence-column.ts";
import { defineQuery } from "../jobs/job.ts";

export interface EventFilter {
  state: ForwardEventState | null;
  /** Part of the order reference or of the back-office's error, ignoring case and accents; null for all. */
  search: string | null;
}

/** Whether the search may have to read all events. */
export const isHistorySearch = (filter: EventFilter): boolean => !isWaiting(filter) || likeOf(filter.search) !== null;

/** Finds the ids of a page beyond the id `from`: waiting events oldest first, others newest first. */
export function findEvents(db: Db, filter: EventFilter, from: number | null, limit: number): number[] {
  const sql = isWaiting(filter)
    ? `SELECT id ${selection(filter)} AND id > @from ORDER BY id LIMIT @limit`
    : `SELECT id ${selection(filter)} AND id < @from ORDER BY id DESC LIMIT @limit`;
  const start = from ?? (isWaiting(filter) ? 0 : Number.MAX_SAFE_INTEGER);
  return db
    .prepare<Record<string, unknown>, number>(sql)
    .pluck()
    .all({ ...parameters(filter), from: start, limit });
}

/** Counts the matching events; with a search text, up to COUNTED_MAX. */
export function countEvents(db: Db, filter: EventFilter): Total {
  if (likeOf(filter.search) !== null) return countUpTo(db, `SELECT 1 ${selection(filter)}`, parameters(filter));
  const count = (sql: string): number => db.prepare<[], number>(sql).pluck().get() ?? 0;
  if (isWaiting(filter)) return { total: count(`SELECT count(*) ${selection(filter)}`) };
  const all = count("SELECT count(*) FROM hub_events");
  if (filter.state === null) return { total: all };
  return { total: all - count("SELECT count(*) FROM hub_events WHERE forwarded = 0") };
}

/** Whether the state has few events and its own index. */
function isWaiting({ state }: EventFilter): boolean {
  return state === "pending" || state === "attention";
}

function selection({ state, search }: EventFilter): string {
  const conditions = [
    ...(state === null ? [] : [`forwarded = ${state === "done" ? 1 : 0} AND state = '${state}'`]),
    ...(likeOf(search) === null
      ? []
      : [`(fold(pos_reference) LIKE @like ESCAPE '\\' OR fold(${messageSql("error")}) LIKE @like ESCAPE '\\')`]),
  ];
  return `FROM hub_events WHERE ${conditions.length === 0 ? "true" : conditions.join(" AND ")}`;
}

function parameters({ search }: EventFilter): Record<string, unknown> {
  const like = likeOf(search);
  return like === null ? {} : { like };
}

function likeOf(search: string | null): string | null {
  return search === null || search === "" ? null : likePart(foldText(search));
}

/** Finds a page of all forward events, and their total. */
export const findForwardEventsJob = defineQuery(
  "findForwardEvents",
  (db, query: { file: string; filter: EventFilter; from: number | null; limit: number }): FoundIds => {
    const { filter, from, limit } = query;
    return { ids: findEvents(db, filter, from, limit), ...countEvents(db, filter) };
  },
);
