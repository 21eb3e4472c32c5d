import type {
  HubMessageOf,
  ItemState,
  OrderRemoval,
  PluginRecord,
  StoredOrder,
  TableState,
  TillState,
} from "@comanda/protocol";
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
  const orders = new Map<string, StoredOrder>();
  const removed = new Map<string, OrderRemoval>();
  const tables = new Map<number, TableState>();
  const tickets = createKeptTickets();
  const items = new Map<string, ItemState>();
  const tills = new Map<string, TillState>();
  const records = new Map<string, PluginRecord>();

  return {
    read: {
      order: (posReference: string) => orders.get(posReference),
      orders: () => orders.values(),
      /** What was discarded or merged, as far as this terminal heard it. */
      removals: () => removed.values(),
      wasRemoved: (posReference: string): boolean => removed.has(posReference),
      tables: () => tables.values(),
      ticket: tickets.get,
      tickets: tickets.all,
      ticketsOf: tickets.ofCheck,
      holdersOf: tickets.holdersOf,
      itemStates: () => items.values(),
      itemState: (productId: string): ItemState | undefined => items.get(productId),
      tills: () => tills.values(),
      pluginRecords: () => records.values(),
    },
    forgetRemovals: () => removed.clear(),
    /** Nothing but these is left, and what was removed. */
    replaceBy(pages: readonly RecordPage[]): ChangedRecords {
      const former = { orders: [...orders.keys()], tables: [...tables.keys()], tickets: [...tickets.ids()] };
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
      for (const order of page.orders) changed.orders.add(keepOrder(order));
      for (const posReference of page.removedOrders) {
        orders.delete(posReference);
        changed.orders.add(posReference);
      }
      for (const removal of page.removals ?? []) keepRemoval(removal);
      for (const table of page.tables) changed.tables.add(keepTable(table));
      const told = [...(page.tickets ?? []), ...(page.recentTickets ?? [])];
      for (const id of told.flatMap(tickets.keep)) changed.tickets.add(id);
      for (const item of page.itemStates ?? []) keepItem(item);
      for (const till of page.tills ?? []) keepTill(till);
      for (const record of page.pluginRecords) keepRecord(record);
      for (const record of page.removedPluginRecords) records.delete(keyOf(record));
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
        return { ...nothing, orders: [keepOrder(message.order)] };
      case "ORDER_REMOVED": {
        const { posReference, version, mergedInto } = message;
        orders.delete(posReference);
        keepRemoval({ posReference, version, mergedInto, at: new Date(now()).toISOString() });
        return { ...nothing, orders: [posReference] };
      }
      case "TABLE_CHANGED":
        return { ...nothing, tables: [keepTable(message.table)] };
      case "TICKET_CHANGED":
        return { ...nothing, tickets: tickets.keep(message.ticket) };
      case "ITEM_STATE_CHANGED":
        keepItem(message.itemState);
        return { ...nothing, items: true };
      case "TILL_CHANGED":
        keepTill(message.till);
        return { ...nothing, tills: true };
      case "PLUGIN_RECORD":
        keepRecord(message.record);
        return { ...nothing, plugins: true };
      case "PLUGIN_REMOVED":
        records.delete(keyOf(message));
        return { ...nothing, plugins: true };
    }
  }

  function keepOrder(order: StoredOrder): string {
    orders.set(order.posReference, order);
    return order.posReference;
  }

  function keepRemoval(removal: OrderRemoval): void {
    removed.set(removal.posReference, removal);
    const [oldest = ""] = removed.keys();
    if (removed.size > MOST_REMOVED) removed.delete(oldest);
  }

  function keepTable(table: TableState): number {
    tables.set(table.tableId, table);
    return table.tableId;
  }

  function keepItem(item: ItemState): void {
    items.set(String(item.productId), item);
  }

  function keepTill(till: TillState): void {
    if (till.removed === true) tills.delete(till.id);
    else tills.set(till.id, till);
  }

  function keepRecord(record: PluginRecord): void {
    records.set(keyOf(record), record);
  }
}

function keyOf({ pluginId, key }: { pluginId: string; key: string }): string {
  return `${pluginId} ${key}`;
}
