import type Database from "better-sqlite3";
import type { Total } from "../db/count-up-to.ts";
import { countEvents, findEvents, type EventFilter } from "../forwarding/find-events.ts";
import { searchAudit, type AuditRow } from "../operator/search-audit.ts";
import { countDeliveries, findDeliveries, type DeliveryPage } from "../webhooks/find-deliveries.ts";
import { openReadOnly } from "./read-only.ts";

/** Row ids of a page, and how many rows there are. */
export type FoundIds = Total & { ids: number[] };

interface OfFile {
  file: string;
}

/** Forward events among all that there ever were. */
export function findForwardEvents({
  file,
  filter,
  from,
  limit,
}: OfFile & { filter: EventFilter; from: number | null; limit: number }) {
  return read(file, (db): FoundIds => ({ ids: findEvents(db, filter, from, limit), ...countEvents(db, filter) }));
}

/** Webhook deliveries by what they tell of. */
export function findWebhookDeliveries({ file, page }: OfFile & { page: DeliveryPage }) {
  const { below: _, limit: __, ...filter } = page;
  return read(file, (db): FoundIds => ({ ids: findDeliveries(db, page), ...countDeliveries(db, filter) }));
}

/** Entries of the audit log with a part of who, what or on what. */
export function searchAuditLog({
  file,
  search,
  below,
  limit,
}: OfFile & { search: string; below: number; limit: number }) {
  return read(file, (db): AuditRow[] => searchAudit(db, search, below, limit));
}

function* read<T>(file: string, work: (db: Database.Database) => T): Generator<undefined, T> {
  // Short work of others that came before goes first.
  yield;
  const db = openReadOnly(file);
  try {
    // What is read together is of one moment.
    return db.transaction(() => work(db))();
  } finally {
    db.close();
  }
}
