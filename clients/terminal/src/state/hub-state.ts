import type { HubMessageOf, Lease, PluginRecord, Since, StoredOrder, TableState } from "@comanda/protocol";

/** A message that carries a piece of the shared state. */
export type StateMessage =
  | HubMessageOf<"ORDER_CHANGED">
  | HubMessageOf<"ORDER_REMOVED">
  | HubMessageOf<"TABLE_CHANGED">
  | HubMessageOf<"PLUGIN_RECORD">
  | HubMessageOf<"PLUGIN_REMOVED">;

/** What a message changed. `leases` is true when the whole list of leases was replaced. */
export interface StateChange {
  orders: string[];
  tables: number[];
  plugins: boolean;
  leases: boolean;
  /** History may have forked: the hub is another one, or its file was restored. */
  forked: boolean;
  /** What this terminal held before a fork of the same hub and the SYNC after it lacks. */
  former?: Former;
}

export interface Former {
  epoch: string;
  orders: StoredOrder[];
}

export type HubState = ReturnType<typeof createHubState>;

/** The hub's shared state as far as this terminal has it. Never holds half a SYNC. */
export function createHubState() {
  let since: Since | undefined;
  let pages: HubMessageOf<"SYNC">[] = [];
  const orders = new Map<string, StoredOrder>();
  const tables = new Map<number, TableState>();
  const records = new Map<string, PluginRecord>();
  let leases: Lease[] = [];

  return {
    since: (): Since | undefined => since,
    seq: () => since?.seq ?? 0,
    order: (posReference: string) => orders.get(posReference),
    orders: () => orders.values(),
    tables: () => tables.values(),
    pluginRecords: () => records.values(),
    leases: (): readonly Lease[] => leases,
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
      const change = cut.some((part) => part.mode === "full") ? applyFull(cut) : applyDelta(cut);
      const former = since !== undefined && forked && since.hubId === page.hubId ? formerOf(since.epoch, held) : {};
      since = { hubId: page.hubId, epoch: page.epoch, seq: page.seq };
      leases = cut.flatMap((part) => part.leases);
      return { ...change, leases: true, forked, ...former };
    },
    /** `known` when it is not new, `hole` when a change before it is missing: then nothing is applied. */
    apply(message: StateMessage): StateChange | "known" | "hole" {
      if (since === undefined || message.seq > since.seq + 1) return "hole";
      if (message.seq <= since.seq) return "known";
      since = { ...since, seq: message.seq };
      return applyMessage(message);
    },
  };

  function formerOf(epoch: string, held: StoredOrder[]): { former?: Former } {
    const missing = held.filter((order) => {
      const current = orders.get(order.posReference);
      return current?.version !== order.version || JSON.stringify(current.snapshot) !== JSON.stringify(order.snapshot);
    });
    return missing.length === 0 ? {} : { former: { epoch, orders: missing } };
  }

  function applyFull(cut: HubMessageOf<"SYNC">[]) {
    const former = { orders: [...orders.keys()], tables: [...tables.keys()] };
    orders.clear();
    tables.clear();
    records.clear();
    const arrived = applyDelta(cut);
    return {
      orders: [...new Set([...former.orders, ...arrived.orders])],
      tables: [...new Set([...former.tables, ...arrived.tables])],
      plugins: true,
    };
  }

  function applyDelta(cut: HubMessageOf<"SYNC">[]) {
    const touched = { orders: new Set<string>(), tables: new Set<number>(), plugins: false };
    for (const page of cut) {
      for (const order of page.orders) {
        orders.set(order.posReference, order);
        touched.orders.add(order.posReference);
      }
      for (const posReference of page.removedOrders) {
        orders.delete(posReference);
        touched.orders.add(posReference);
      }
      for (const table of page.tables) {
        tables.set(table.tableId, table);
        touched.tables.add(table.tableId);
      }
      for (const record of page.pluginRecords) records.set(recordKey(record), record);
      for (const removed of page.removedPluginRecords) records.delete(recordKey(removed));
      touched.plugins ||= page.pluginRecords.length + page.removedPluginRecords.length > 0;
    }
    return { orders: [...touched.orders], tables: [...touched.tables], plugins: touched.plugins };
  }

  function applyMessage(message: StateMessage): StateChange {
    const nothing = { orders: [], tables: [], plugins: false, leases: false, forked: false };
    switch (message.type) {
      case "ORDER_CHANGED":
        orders.set(message.posReference, message.order);
        return { ...nothing, orders: [message.posReference] };
      case "ORDER_REMOVED":
        orders.delete(message.posReference);
        return { ...nothing, orders: [message.posReference] };
      case "TABLE_CHANGED":
        tables.set(message.table.tableId, message.table);
        return { ...nothing, tables: [message.table.tableId] };
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
