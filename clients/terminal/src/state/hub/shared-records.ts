import type {
  HubMessageOf,
  ItemState,
  OrderRemoval,
  PluginRecord,
  StoredOrder,
  TableState,
  TillState,
} from "@comanda/protocol";
import { createRecordStore } from "./record-store.ts";
import { createTicketStore } from "./ticket-store.ts";
import type { ChangedRecords, StateMessage } from "./state-change.ts";

/** Limit of remembered removals; beyond it the oldest are dropped. */
const MAX_REMOVED = 500;

/** Records of one SYNC page, of the saved state, or of one change. */
type RecordPage = Partial<
  Pick<
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
  >
>;

/** The shared records, each in its newest version. `now`: the hub's time in ms. */
export function createSharedRecords(now: () => number) {
  const orders = createRecordStore(({ posReference }: StoredOrder) => posReference);
  const removed = createRecordStore(({ posReference }: OrderRemoval) => posReference, MAX_REMOVED);
  const tables = createRecordStore(({ tableId }: TableState) => tableId);
  const tickets = createTicketStore();
  const items = createRecordStore(({ productId }: ItemState) => String(productId));
  const tills = createRecordStore(({ id }: TillState) => id);
  const records = createRecordStore<string, PluginRecord>(keyOf);

  return {
    read: {
      order: orders.get,
      orders: orders.all,
      /** Discarded or merged checks, as far as this terminal knows them. */
      removals: removed.all,
      wasRemoved: removed.has,
      tables: tables.all,
      ticket: tickets.get,
      tickets: tickets.all,
      ticketsOf: tickets.listByCheck,
      holdersOf: tickets.listHolders,
      itemStates: items.all,
      itemState: items.get,
      tills: tills.all,
      pluginRecords: records.all,
    },
    forgetRemovals: removed.clear,
    /** Replaces all records except removals. */
    replaceBy(pages: readonly RecordPage[]): ChangedRecords {
      for (const each of [orders, tables, tickets, items, tills, records]) each.clear();
      return { ...merge(pages), items: true, tills: true, plugins: true };
    },
    merge,
    apply: (message: StateMessage): ChangedRecords => merge([pageOf(message, now)]),
  };

  function merge(pages: readonly RecordPage[]): ChangedRecords {
    for (const page of pages) {
      for (const order of page.orders ?? []) orders.keep(order);
      for (const posReference of page.removedOrders ?? []) orders.drop(posReference);
      for (const removal of page.removals ?? []) removed.keep(removal);
      for (const table of page.tables ?? []) tables.keep(table);
      for (const ticket of [...(page.tickets ?? []), ...(page.recentTickets ?? [])]) tickets.keep(ticket);
      for (const item of page.itemStates ?? []) items.keep(item);
      for (const till of page.tills ?? []) {
        if (till.removed === true) tills.drop(till.id);
        else tills.keep(till);
      }
      for (const record of page.pluginRecords ?? []) records.keep(record);
      for (const record of page.removedPluginRecords ?? []) records.drop(keyOf(record));
    }
    return {
      orders: orders.takeChanged(),
      removals: removed.takeChanged().length > 0,
      tables: tables.takeChanged(),
      tickets: tickets.takeChanged(),
      items: items.takeChanged().length > 0,
      tills: tills.takeChanged().length > 0,
      plugins: records.takeChanged().length > 0,
    };
  }
}

/** Converts a change to a page with only that record. */
function pageOf(message: StateMessage, now: () => number): RecordPage {
  switch (message.type) {
    case "ORDER_CHANGED":
      return { orders: [message.order] };
    case "ORDER_REMOVED": {
      const { posReference, version, mergedInto } = message;
      const removal = { posReference, version, mergedInto, at: new Date(now()).toISOString() };
      return { removedOrders: [posReference], removals: [removal] };
    }
    case "TABLE_CHANGED":
      return { tables: [message.table] };
    case "TICKET_CHANGED":
      return { tickets: [message.ticket] };
    case "ITEM_STATE_CHANGED":
      return { itemStates: [message.itemState] };
    case "TILL_CHANGED":
      return { tills: [message.till] };
    case "PLUGIN_RECORD":
      return { pluginRecords: [message.record] };
    case "PLUGIN_REMOVED":
      return { removedPluginRecords: [message] };
  }
}

function keyOf({ pluginId, key }: { pluginId: string; key: string }): string {
  return `${pluginId} ${key}`;
}
