import type {
  HubMessageOf,
  ItemState,
  KitchenTicket,
  Lease,
  OrderRemoval,
  PluginRecord,
  Since,
  StoredOrder,
  TableState,
} from "@comanda/protocol";
import { checksOf } from "@comanda/rules";

/** Tickets that are over are kept for a recall; beyond that the oldest go. */
const MOST_OVER = 100;
/** Removed checks that are remembered; beyond that the oldest go. */
const MOST_REMOVED = 500;

/** A message that carries a piece of the shared state. */
export type StateMessage =
  | HubMessageOf<"ORDER_CHANGED">
  | HubMessageOf<"ORDER_REMOVED">
  | HubMessageOf<"TABLE_CHANGED">
  | HubMessageOf<"TICKET_CHANGED">
  | HubMessageOf<"ITEM_STATE_CHANGED">
  | HubMessageOf<"PLUGIN_RECORD">
  | HubMessageOf<"PLUGIN_REMOVED">;

/** What a message changed. `leases` is true when the whole list of leases was replaced. */
export interface StateChange {
  orders: string[];
  tables: number[];
  tickets: string[];
  items: boolean;
  plugins: boolean;
  leases: boolean;
  /** History may have forked: the hub is another one, or its file was restored. */
  forked: boolean;
  /** It forked because this is another hub. */
  isOtherHub?: boolean;
  /** What this terminal held before a fork, or of another hub, and the SYNC after it lacks. */
  former?: Former;
}

type StatePage = Pick<
  HubMessageOf<"SYNC">,
  | "orders"
  | "removedOrders"
  | "removals"
  | "tables"
  | "tickets"
  | "itemStates"
  | "pluginRecords"
  | "removedPluginRecords"
>;

export interface Former {
  hubId: string;
  epoch: string;
  orders: StoredOrder[];
  removed: OrderRemoval[];
}

/** The shared state as it is kept over a reload; never the leases, which end by themselves. */
export interface SavedHubState {
  since: Since;
  orders: StoredOrder[];
  removals: OrderRemoval[] | undefined;
  tables: TableState[];
  tickets: KitchenTicket[];
  itemStates: ItemState[];
  pluginRecords: PluginRecord[];
}

export type HubState = ReturnType<typeof createHubState>;

/** The hub's shared state as far as this terminal has it. Never holds half a SYNC. */
export function createHubState(now: () => number) {
  let since: Since | undefined;
  let pages: HubMessageOf<"SYNC">[] = [];
  const orders = new Map<string, StoredOrder>();
  const removed = new Map<string, OrderRemoval>();
  const tables = new Map<number, TableState>();
  const tickets = new Map<string, KitchenTicket>();
  /** The ids of the tickets of which a check holds shares, or held some. */
  const ticketsOfCheck = new Map<string, Set<string>>();
  const items = new Map<string, ItemState>();
  const records = new Map<string, PluginRecord>();
  let leases: Lease[] = [];

  return {
    since: (): Since | undefined => since,
    seq: () => since?.seq ?? 0,
    order: (posReference: string) => orders.get(posReference),
    orders: () => orders.values(),
    /** What was discarded or merged, as far as this terminal heard it. */
    removals: () => removed.values(),
    wasRemoved: (posReference: string): boolean => removed.has(posReference),
    tables: () => tables.values(),
    ticket: (id: string) => tickets.get(id),
    /** Also those that are over, as far as they are kept. */
    tickets: () => tickets.values(),
    /** The tickets of which a check holds shares, or held some. */
    ticketsOf: (posReference: string): KitchenTicket[] =>
      [...(ticketsOfCheck.get(posReference) ?? [])].flatMap((id) => tickets.get(id) ?? []),
    itemStates: () => items.values(),
    itemState: (productId: string): ItemState | undefined => items.get(productId),
    pluginRecords: () => records.values(),
    leases: (): readonly Lease[] => leases,
    /** Shows what was saved until the hub sends what has changed since. Only before the first SYNC. */
    restore(saved: SavedHubState): void {
      applyDelta([{ ...saved, removedOrders: [], removedPluginRecords: [] }]);
      ({ since } = saved);
    },
    /** A connection has ended: drops the pages of an incomplete SYNC. */
    dropPages(): void {
      pages = [];
    },
    /** Adds one page; null until the last one, which makes all of them visible at once. */
    sync(page: HubMessageOf<"SYNC">): StateChange | null {
      pages.push(page);
      if (page.more) return null;
      const cut = pages;
      pages = [];
      const forked = since !== undefined && (since.hubId !== page.hubId || since.epoch !== page.epoch);
      const held = forked ? [...orders.values()] : [];
      const gone = [...removed.values()];
      if (forked) removed.clear();
      const change = cut.some((part) => part.mode === "full") ? applyFull(cut) : applyDelta(cut);
      const former = since !== undefined && forked ? formerOf(since, held, gone) : {};
      const isOtherHub = forked && since?.hubId !== page.hubId;
      const { hubId, epoch, seq, signature } = page;
      since = { hubId, epoch, seq, ...(signature !== undefined && { signature }) };
      leases = cut.flatMap((part) => part.leases);
      return {
        ...change,
        leases: true,
        forked,
        ...(isOtherHub && { isOtherHub }),
        ...former,
      };
    },
    /** `known` when it is not new, `hole` when a change before it is missing: then nothing is applied. */
    apply(message: StateMessage): StateChange | "known" | "hole" {
      if (since === undefined || message.seq > since.seq + 1) return "hole";
      if (message.seq <= since.seq) return "known";
      const { hubId, epoch } = since;
      const { seq, signature } = message;
      since = { hubId, epoch, seq, ...(signature !== undefined && { signature }) };
      return applyMessage(message);
    },
  };

  function formerOf({ hubId, epoch }: Since, held: StoredOrder[], gone: OrderRemoval[]): { former?: Former } {
    const missing = held.filter((order) => {
      const current = orders.get(order.posReference);
      return current?.version !== order.version || JSON.stringify(current.snapshot) !== JSON.stringify(order.snapshot);
    });
    return missing.length + gone.length === 0 ? {} : { former: { hubId, epoch, orders: missing, removed: gone } };
  }

  function keepRemoval(removal: OrderRemoval): void {
    removed.set(removal.posReference, removal);
    const [oldest = ""] = removed.keys();
    if (removed.size > MOST_REMOVED) removed.delete(oldest);
  }

  function applyFull(cut: HubMessageOf<"SYNC">[]) {
    const former = { orders: [...orders.keys()], tables: [...tables.keys()], tickets: [...tickets.keys()] };
    orders.clear();
    tables.clear();
    tickets.clear();
    ticketsOfCheck.clear();
    items.clear();
    records.clear();
    const arrived = applyDelta(cut);
    return {
      orders: [...new Set([...former.orders, ...arrived.orders])],
      tables: [...new Set([...former.tables, ...arrived.tables])],
      tickets: [...new Set([...former.tickets, ...arrived.tickets])],
      items: true,
      plugins: true,
    };
  }

  function applyDelta(cut: readonly StatePage[]) {
    const touched = { orders: new Set<string>(), tables: new Set<number>(), tickets: new Set<string>() };
    let plugins = false;
    let anyItems = false;
    for (const page of cut) {
      for (const order of page.orders) {
        orders.set(order.posReference, order);
        touched.orders.add(order.posReference);
      }
      for (const posReference of page.removedOrders) {
        orders.delete(posReference);
        touched.orders.add(posReference);
      }
      for (const removal of page.removals ?? []) keepRemoval(removal);
      for (const table of page.tables) {
        tables.set(table.tableId, table);
        touched.tables.add(table.tableId);
      }
      for (const ticket of page.tickets ?? []) {
        for (const id of keepTicket(ticket)) touched.tickets.add(id);
      }
      for (const item of page.itemStates ?? []) items.set(String(item.productId), item);
      anyItems ||= (page.itemStates ?? []).length > 0;
      for (const record of page.pluginRecords) records.set(recordKey(record), record);
      for (const removed of page.removedPluginRecords) records.delete(recordKey(removed));
      plugins ||= page.pluginRecords.length + page.removedPluginRecords.length > 0;
    }
    return {
      orders: [...touched.orders],
      tables: [...touched.tables],
      tickets: [...touched.tickets],
      items: anyItems,
      plugins,
    };
  }

  /** Answers what changed: the ticket, and a ticket that is over and no longer kept. */
  function keepTicket(ticket: KitchenTicket): string[] {
    // At the end of the map, so that what was over first is the first to go.
    dropTicket(ticket.id);
    tickets.set(ticket.id, ticket);
    for (const check of checksOf(ticket)) {
      const ids = ticketsOfCheck.get(check);
      if (ids === undefined) ticketsOfCheck.set(check, new Set([ticket.id]));
      else ids.add(ticket.id);
    }
    if (!ticket.isOver) return [ticket.id];
    const over = [...tickets.values()].filter(({ isOver }) => isOver);
    const [oldest] = over.length > MOST_OVER ? over : [];
    if (oldest === undefined) return [ticket.id];
    dropTicket(oldest.id);
    return [ticket.id, oldest.id];
  }

  function dropTicket(id: string): void {
    const ticket = tickets.get(id);
    if (ticket === undefined) return;
    tickets.delete(id);
    for (const check of checksOf(ticket)) {
      const ids = ticketsOfCheck.get(check);
      ids?.delete(id);
      if (ids?.size === 0) ticketsOfCheck.delete(check);
    }
  }

  function applyMessage(message: StateMessage): StateChange {
    const nothing = {
      orders: [],
      tables: [],
      tickets: [],
      items: false,
      plugins: false,
      leases: false,
      forked: false,
    };
    switch (message.type) {
      case "ORDER_CHANGED":
        orders.set(message.posReference, message.order);
        return { ...nothing, orders: [message.posReference] };
      case "ORDER_REMOVED": {
        const { posReference, version, mergedInto } = message;
        orders.delete(posReference);
        keepRemoval({ posReference, version, mergedInto, at: new Date(now()).toISOString() });
        return { ...nothing, orders: [posReference] };
      }
      case "TABLE_CHANGED":
        tables.set(message.table.tableId, message.table);
        return { ...nothing, tables: [message.table.tableId] };
      case "TICKET_CHANGED":
        return { ...nothing, tickets: keepTicket(message.ticket) };
      case "ITEM_STATE_CHANGED":
        items.set(String(message.itemState.productId), message.itemState);
        return { ...nothing, items: true };
      case "PLUGIN_RECORD":
        records.set(recordKey(message.record), message.record);
        return { ...nothing, plugins: true };
      case "PLUGIN_REMOVED":
        records.delete(recordKey(message));
        return { ...nothing, plugins: true };
    }
  }
}

function recordKey({ pluginId, key }: { pluginId: string; key: string }): string {
  return `${pluginId} ${key}`;
}
