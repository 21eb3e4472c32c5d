import type { HubMessageOf, OrderRemoval, StoredOrder } from "@comanda/protocol";
import type { Fork } from "../../outbox/entries/outbox-entry.ts";

/** A message with a part of the shared state. */
export type StateMessage =
  | HubMessageOf<"ORDER_CHANGED">
  | HubMessageOf<"ORDER_REMOVED">
  | HubMessageOf<"TABLE_CHANGED">
  | HubMessageOf<"TICKET_CHANGED">
  | HubMessageOf<"ITEM_STATE_CHANGED">
  | HubMessageOf<"TILL_CHANGED">
  | HubMessageOf<"PLUGIN_RECORD">
  | HubMessageOf<"PLUGIN_REMOVED">;

export interface ChangedRecords {
  orders: string[];
  removals: boolean;
  tables: number[];
  tickets: string[];
  items: boolean;
  tills: boolean;
  plugins: boolean;
}

/** The changes by a message. `leases` is true if the whole list of leases was replaced. */
export interface StateChange extends ChangedRecords {
  leases: boolean;
  /** Set if the history may have forked: another hub, or a restored file. */
  fork: Fork | null;
  /** What this terminal held before a fork, or of another hub, and is missing in the new SYNC. */
  former?: Former;
}

export interface Former {
  hubId: string;
  epoch: string;
  orders: StoredOrder[];
  removed: OrderRemoval[];
}
