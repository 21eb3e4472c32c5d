import {
  HubMessage,
  ItemState,
  KitchenTicket,
  PluginRecord,
  StoredOrder,
  TableState,
  TillState,
} from "@comanda/protocol";

/** A message as far as it is readable, with the `problems` found. */
export interface MessageRead {
  message: HubMessage | null;
  problems: unknown[];
}

/**
 * Reads one message; it is null if unreadable. Unreadable records of a SYNC are left out and reported in `problems`, so that
 * one bad order does not keep all others from the terminal.
 */
export function readHubMessage(value: unknown): MessageRead {
  const read = HubMessage.safeParse(value);
  if (read.success) return { message: read.data, problems: [] };
  const salvaged = HubMessage.safeParse(withoutUnreadable(value));
  return { message: salvaged.success ? salvaged.data : null, problems: [read.error] };
}

/** The schemas of the records in a SYNC, by list. */
const recordsOfSync: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> = {
  orders: StoredOrder,
  tables: TableState,
  pluginRecords: PluginRecord,
  tickets: KitchenTicket,
  recentTickets: KitchenTicket,
  itemStates: ItemState,
  tills: TillState,
};

/** Removes unreadable records from a SYNC. Other messages stay unchanged. */
function withoutUnreadable(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "SYNC") return value;
  const fields = Object.entries(value).map(([field, content]: [string, unknown]) => {
    const schema = recordsOfSync[field];
    const isList = schema !== undefined && Array.isArray(content);
    return [field, isList ? content.filter((each) => schema.safeParse(each).success) : content];
  });
  return Object.fromEntries(fields);
}
