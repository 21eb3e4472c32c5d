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
  TillState,
} from "@comanda/protocol";
import type { Fork } from "../../outbox/entries/outbox-entry.ts";
import { createSharedRecords } from "./shared-records.ts";
import type { Former, StateChange, StateMessage } from "./state-change.ts";

/** The shared state as saved for a reload, without leases, which expire by themselves. */
export interface SavedHubState {
  since: Since;
  orders: StoredOrder[];
  removals: OrderRemoval[] | undefined;
  tables: TableState[];
  tickets: KitchenTicket[];
  itemStates: ItemState[];
  tills: TillState[];
  pluginRecords: PluginRecord[];
}

export type HubState = ReturnType<typeof createHubState>;

/** The hub's shared state as far as this terminal has it. A SYNC is applied only when complete. */
export function createHubState(now: () => number) {
  const records = createSharedRecords(now);
  let since: Since | undefined;
  let pages: HubMessageOf<"SYNC">[] = [];
  let leases: Lease[] = [];

  return {
    ...records.read,
    since: (): Since | undefined => since,
    seq: () => since?.seq ?? 0,
    leases: (): readonly Lease[] => leases,
    /** Restores the saved state until the hub sends the changes since. Only before the first SYNC. */
    restore(saved: SavedHubState): void {
      records.merge([saved]);
      ({ since } = saved);
    },
    /** Drops the pages of an incomplete SYNC at the end of a connection. */
    dropPages(): void {
      pages = [];
    },
    /** Adds a page. Returns null until the last one, which applies all of them at once. */
    sync(page: HubMessageOf<"SYNC">): StateChange | null {
      pages.push(page);
      if (page.more) return null;
      const cut = pages;
      pages = [];
      const fork = forkAt(page);
      const former = fork === null || since === undefined ? null : formerOf(since);
      if (fork !== null) records.forgetRemovals();
      const changed = cut.some(({ mode }) => mode === "full") ? records.replaceBy(cut) : records.merge(cut);
      since = placeOf(page, page);
      leases = cut.flatMap((part) => part.leases);
      return { ...changed, leases: true, fork, ...(former !== null && lackingOf(former)) };
    },
    /** Applies a change. Returns `known` if it is not new, or `hole` if a change before it is missing; neither is applied. */
    apply(message: StateMessage): StateChange | "known" | "hole" {
      if (since === undefined || message.seq > since.seq + 1) return "hole";
      if (message.seq <= since.seq) return "known";
      since = placeOf(since, message);
      return { ...records.apply(message), leases: false, fork: null };
    },
  };

  /** Returns how the history of a SYNC differs from the current one, or null if it does not. */
  function forkAt({ hubId, epoch }: HubMessageOf<"SYNC">): Fork | null {
    if (since === undefined || (since.hubId === hubId && since.epoch === epoch)) return null;
    return since.hubId === hubId ? "earlier_state" : "other_hub";
  }

  function formerOf({ hubId, epoch }: Since): Former {
    return { hubId, epoch, orders: [...records.read.orders()], removed: [...records.read.removals()] };
  }

  /** Returns what was held and is missing or different now. */
  function lackingOf({ orders, ...origin }: Former): { former?: Former } {
    const lacking = orders.filter(({ posReference, version, snapshot }) => {
      const current = records.read.order(posReference);
      return current?.version !== version || JSON.stringify(current.snapshot) !== JSON.stringify(snapshot);
    });
    return lacking.length + origin.removed.length === 0 ? {} : { former: { ...origin, orders: lacking } };
  }
}

/** Returns a place in the hub's history, with the place's own signature if there is one. */
function placeOf({ hubId, epoch }: Pick<Since, "hubId" | "epoch">, at: Pick<Since, "seq" | "signature">): Since {
  const { seq, signature } = at;
  return { hubId, epoch, seq, ...(signature !== undefined && { signature }) };
}
