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
  const salvaged = HubMessage.safeParse(withoutUnreadable(value));
  return { message: salvaged.success ? salvaged.data : null, problems: [read.error] };
}

/** The lists of a SYNC, by what each of their records is. */
const recordsOfSync: Readonly<Record<string, { safeParse(value: unknown): { success: boolean } }>> = {
  orders: StoredOrder,
  tables: TableState,
  pluginRecords: PluginRecord,
  tickets: KitchenTicket,
  recentTickets: KitchenTicket,
  itemStates: ItemState,
  tills: TillState,
};

/** Anything but a SYNC stays as it is. */
function withoutUnreadable(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "SYNC") return value;
  const fields = Object.entries(value).map(([field, content]: [string, unknown]) => {
    const schema = recordsOfSync[field];
    const isList = schema !== undefined && Array.isArray(content);
    return [field, isList ? content.filter((each) => schema.safeParse(each).success) : content];
  });
  return Object.fromEntries(fields);
}
