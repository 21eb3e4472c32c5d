/// <reference lib="dom" />
import { isUnsent, type OutboxEntry } from "../outbox/entries/outbox-entry.ts";
import { openReopeningDatabase } from "./reopening-database.ts";

/** An outbox that this page does not use, with the number of its unsent changes. */
export interface OtherOutbox {
  name: string;
  pending: number;
}

/** Returns outboxes of this browser with unsent changes, except `own`; none if the browser cannot list its databases. */
export async function findOtherOutboxes(own: string): Promise<OtherOutbox[]> {
  const databases = typeof indexedDB.databases === "function" ? await indexedDB.databases() : [];
  const names = new Set(databases.flatMap(({ name }) => name ?? []));
  const others = [...names].filter((name) => name !== own && names.has(`${name} cache`)).toSorted();
  const counted = await Promise.all(others.map(async (name) => ({ name, pending: await countPending(name) })));
  return counted.filter(({ pending }) => pending > 0);
}

async function countPending(name: string): Promise<number> {
  const database = await openReopeningDatabase(name);
  try {
    const entries = (await database.read((store) => store.getAll())) as OutboxEntry[];
    return entries.filter(isUnsent).length;
  } finally {
    database.close();
  }
}
