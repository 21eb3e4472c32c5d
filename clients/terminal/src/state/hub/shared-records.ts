import type {
  HubMessageOf,
  ItemState,
  OrderRemoval,
  PluginRecord,
  StoredOrder,
  TableState,
  TillState,
} from "@comanda/protocol";
import { createKeptRecords } from "./kept-records.ts";
import { createKeptTickets } from "./kept-tickets.ts";
import type { ChangedRecords, StateMessage } from "./state-change.ts";

/** Removed checks that are remembered; beyond that the oldest go. */
const MOST_REMOVED = 500;

/** The records of one SYNC, or of what was saved. */
type RecordPage = Pick<
  HubMessageOf<"SYNC">,
  | "orders"
  | "removedOrders"
  | "removals"
  | "tables"
  | "tickets"
  | "recentTickets"
  | "itemStates"
  | "tills"
  | "pluginRecords"
  | "removedPluginRecords"
>;

/** What terminals share, each record in its newest state. `now`: the hub's time in ms. */
export function createSharedRecords(now: () => number) {
  const orders = createKeptRecords(({ posReference }: StoredOrder) => posReference);
  const removed = createKeptRecords(({ posReference }: OrderRemoval) => posReference, MOST_REMOVED);
  const tables = createKeptRecords(({ tableId }: TableState) => tableId);
  const tickets = createKeptTickets();
  const items = createKeptRecords(({ productId }: ItemState) => String(productId));
  const tills = createKeptRecords(({ id }: TillState) => id);
  const records = createKeptRecords<string, PluginRecord>(keyOf);

  return {
    read: {
      order: orders.get,
      orders: orders.all,
      /** What was discarded or merged, as far as this terminal heard it. */
      removals: removed.all,
      wasRemoved: removed.has,
      tables: tables.all,
      ticket: tickets.get,
      tickets: tickets.all,
      ticketsOf: tickets.ofCheck,
      holdersOf: tickets.holdersOf,
      itemStates: items.all,
      itemState: items.get,
      tills: tills.all,
      pluginRecords: records.all,
    },
    forgetRemovals: removed.clear,
    /** Nothing but these is left, and what was removed. */
    replaceBy(pages: readonly RecordPage[]): ChangedRecords {
      const former = { orders: [...orders.keys()], tables: [...tables.keys()], tickets: [...tickets.keys()] };
      for (const each of [orders, tables, tickets, items, tills, records]) each.clear();
      const arrived = merge(pages);
      return {
        orders: [...new Set([...former.orders, ...arrived.orders])],
        tables: [...new Set([...former.tables, ...arrived.tables])],
        tickets: [...new Set([...former.tickets, ...arrived.tickets])],
        items: true,
        tills: true,
        plugins: true,
      };
    },
    merge,
    apply,
  };

  function merge(pages: readonly RecordPage[]): ChangedRecords {
    const changed = { orders: new Set<string>(), tables: new Set<number>(), tickets: new Set<string>() };
    let anyItems = false;
    let anyTills = false;
    let anyPlugins = false;
    for (const page of pages) {
      for (const order of page.orders) changed.orders.add(orders.keep(order));
      for (const posReference of page.removedOrders) {
        orders.drop(posReference);
        changed.orders.add(posReference);
      }
      for (const removal of page.removals ?? []) removed.keep(removal);
      for (const table of page.tables) changed.tables.add(tables.keep(table));
      const told = [...(page.tickets ?? []), ...(page.recentTickets ?? [])];
      for (const id of told.flatMap(tickets.keep)) changed.tickets.add(id);
      for (const item of page.itemStates ?? []) items.keep(item);
      for (const till of page.tills ?? []) keepTill(till);
      for (const record of page.pluginRecords) records.keep(record);
      for (const record of page.removedPluginRecords) records.drop(keyOf(record));
      anyItems ||= (page.itemStates ?? []).length > 0;
      anyTills ||= (page.tills ?? []).length > 0;
      anyPlugins ||= page.pluginRecords.length + page.removedPluginRecords.length > 0;
    }
    const { orders: some, tables: others, tickets: rest } = changed;
    const lists = { orders: [...some], tables: [...others], tickets: [...rest] };
    return { ...lists, items: anyItems, tills: anyTills, plugins: anyPlugins };
  }

  function apply(message: StateMessage): ChangedRecords {
    const nothing = { orders: [], tables: [], tickets: [], items: false, tills: false, plugins: false };
    switch (message.type) {
      case "ORDER_CHANGED":
        return { ...nothing, orders: [orders.keep(message.order)] };
      case "ORDER_REMOVED": {
        const { posReference, version, mergedInto } = message;
        orders.drop(posReference);
        removed.keep({ posReference, version, mergedInto, at: new Date(now()).toISOString() });
        return { ...nothing, orders: [posReference] };
      }
      case "TABLE_CHANGED":
        return { ...nothing, tables: [tables.keep(message.table)] };
      case "TICKET_CHANGED":
        return { ...nothing, tickets: tickets.keep(message.ticket) };
      case "ITEM_STATE_CHANGED":
        items.keep(message.itemState);
        return { ...nothing, items: true };
      case "TILL_CHANGED":
        keepTill(message.till);
        return { ...nothing, tills: true };
      case "PLUGIN_RECORD":
        records.keep(message.record);
        return { ...nothing, plugins: true };
      case "PLUGIN_REMOVED":
        records.drop(keyOf(message));
        return { ...nothing, plugins: true };
    }
  }

  function keepTill(till: TillState): void {
    if (till.removed === true) tills.drop(till.id);
    else tills.keep(till);
  }
}

function keyOf({ pluginId, key }: { pluginId: string; key: string }): string {
  return `${pluginId} ${key}`;
}
