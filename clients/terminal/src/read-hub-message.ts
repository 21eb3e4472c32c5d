import {
  HubMessage,
  ItemState,
  KitchenTicket,
  PluginRecord,
  StoredOrder,
  TableState,
  TillState,
} from "@comanda/protocol";

/** A message as far as it can be read; `problems` say what was wrong. */
export interface MessageRead {
  message: HubMessage | null;
  problems: unknown[];
}

/**
 * Reads one message: null when it cannot be read; `problems` say what was wrong. Unreadable records of a SYNC are left
 * out and reported: one odd order must not keep a terminal from all the others.
 */
export function readHubMessage(value: unknown): MessageRead {
  const read = HubMessage.safeParse(value);
  if (read.success) return { message: read.data, problems: [] };
  const salvaged = isSync(value) ? HubMessage.safeParse(withoutUnreadable(value)) : read;
  return { message: salvaged.success ? salvaged.data : null, problems: [read.error] };
}

interface RawSync {
  type: "SYNC";
  orders: unknown[];
  tables: unknown[];
  pluginRecords: unknown[];
  tickets?: unknown;
  itemStates?: unknown;
  tills?: unknown;
}

function isSync(value: unknown): value is RawSync {
  const { type, orders, tables, pluginRecords } = (value ?? {}) as Partial<RawSync>;
  return type === "SYNC" && [orders, tables, pluginRecords].every(Array.isArray);
}

function withoutUnreadable(sync: RawSync): RawSync {
  return {
    ...sync,
    orders: readable(sync.orders, StoredOrder),
    tables: readable(sync.tables, TableState),
    pluginRecords: readable(sync.pluginRecords, PluginRecord),
    tickets: readable(sync.tickets, KitchenTicket),
    itemStates: readable(sync.itemStates, ItemState),
    ...(sync.tills !== undefined && { tills: readable(sync.tills, TillState) }),
  };
}

function readable(list: unknown, schema: { safeParse(value: unknown): { success: boolean } }): unknown[] {
  return Array.isArray(list) ? list.filter((each) => schema.safeParse(each).success) : [];
}
