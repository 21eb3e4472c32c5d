import type Database from "better-sqlite3";
import { createItemStateStore } from "../../kitchen/item-state-store.ts";
import { createTicketStore } from "../../kitchen/ticket-store.ts";
import { createOrderRows } from "../../orders/store/order-rows.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { isoTime } from "../../platform/world.ts";
import { createPluginStore } from "../../plugins/plugin-store.ts";
import { createTableStore } from "../../tables/table-store.ts";
import { createTillStore } from "../../till/till-store.ts";

/** The fields of SYNC that carry serialized records. */
export const syncFields = [
  "orders",
  "removedOrders",
  "removals",
  "tables",
  "tickets",
  "recentTickets",
  "itemStates",
  "tills",
  "pluginRecords",
  "removedPluginRecords",
] as const;

export type SyncContent = Record<(typeof syncFields)[number], string[]>;

/** The part of the shared state to send: everything active or recent, or the changes after a place in it. */
export type SyncScope = { mode: "full"; updatedSince: number } | { mode: "delta"; since: number };

/** Orders and tickets read per event-loop turn: some milliseconds on a slow machine. */
export const RECORDS_PER_SLICE = 50;

export function emptyContent(): SyncContent {
  return Object.fromEntries(syncFields.map((field) => [field, []])) as unknown as SyncContent;
}

export type ContentReader = ReturnType<typeof createContentReader>;

/** Reads the shared state over one connection, which sees the same state from the first slice to the last. */
export function createContentReader(
  db: Database.Database,
  deps: { orders: Pick<OrderStore, "wireOf">; now: () => number; onDamage: (description?: string) => void },
) {
  const { orders, now, onDamage } = deps;
  const rows = createOrderRows(db);
  const tickets = createTicketStore(db, onDamage);
  const tables = createTableStore(db);
  const itemStates = createItemStateStore(db);
  const tills = createTillStore(db);
  const plugins = createPluginStore(db, now, onDamage);

  function others(scope: SyncScope): Omit<SyncContent, "orders" | "tickets" | "recentTickets"> {
    if (scope.mode === "full") {
      return {
        removedOrders: [],
        removals: [],
        tables: tables.list(now()).map((table) => JSON.stringify(table)),
        itemStates: itemStates.wireScarce(),
        tills: tills.wire(),
        pluginRecords: plugins.list().map((record) => JSON.stringify(record)),
        removedPluginRecords: [],
      };
    }
    const { since } = scope;
    const removed = rows.listRemovedSince(since);
    return {
      removedOrders: removed.map(({ posReference }) => JSON.stringify(posReference)),
      removals: removed.map(({ posReference, version, mergedInto, origin, removedAt }) => {
        const at = isoTime(removedAt);
        return JSON.stringify({ posReference, version, ...(mergedInto !== null && { mergedInto }), origin, at });
      }),
      tables: tables.listSince(since, now()).map((table) => JSON.stringify(table)),
      itemStates: itemStates.wireSince(since),
      tills: tills.wireSince(since),
      ...plugins.wireSince(since),
    };
  }

  /** How many orders and tickets a scope has; stops counting above one slice. */
  function count(scope: SyncScope): number {
    const limit = RECORDS_PER_SLICE + 1;
    return scope.mode === "full"
      ? rows.countCurrent(scope.updatedSince) +
          tickets.countOpen(limit) +
          tickets.listOverIds(scope.updatedSince).length
      : rows.countChanged(scope.since, limit) + tickets.countChanged(scope.since, limit);
  }

  return {
    /** Whether a scope needs more than one slice. */
    isLarge: (scope: SyncScope): boolean => count(scope) > RECORDS_PER_SLICE,

    /** Yields, after each slice, how many orders and tickets it has read: at most RECORDS_PER_SLICE. */
    *read(scope: SyncScope): Generator<number, SyncContent> {
      const isFull = scope.mode === "full";
      const heads = isFull ? rows.listCurrentHeads(scope.updatedSince) : rows.listChangedHeads(scope.since);
      const ticketIds = isFull ? tickets.listOpenIds() : tickets.listChangedIds(scope.since);
      const overIds = isFull ? tickets.listOverIds(scope.updatedSince) : [];
      const content: SyncContent = { orders: [], tickets: [], recentTickets: [], ...others(scope) };
      for (const slice of slicesOf(heads)) {
        content.orders.push(...orders.wireOf(slice.flatMap((head) => rows.getBody(head) ?? [])));
        yield slice.length;
      }
      for (const slice of slicesOf(ticketIds)) {
        content.tickets.push(...slice.flatMap(tickets.wire));
        yield slice.length;
      }
      for (const slice of slicesOf(overIds)) {
        content.recentTickets.push(...slice.flatMap(tickets.wireOver));
        yield slice.length;
      }
      return content;
    },
  };
}

function* slicesOf<T>(records: readonly T[]): Generator<T[]> {
  for (let at = 0; at < records.length; at += RECORDS_PER_SLICE) yield records.slice(at, at + RECORDS_PER_SLICE);
}
