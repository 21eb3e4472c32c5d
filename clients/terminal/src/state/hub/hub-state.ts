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

/** The shared state as it is kept over a reload; never the leases, which end by themselves. */
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

/** The hub's shared state as far as this terminal has it. Never holds half a SYNC. */
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
    /** Shows what was saved until the hub sends what has changed since. Only before the first SYNC. */
    restore(saved: SavedHubState): void {
      records.merge([saved]);
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
      const fork = forkAt(page);
      const held = fork === null || since === undefined ? null : heldOf(since);
      if (fork !== null) records.forgetRemovals();
      const changed = cut.some(({ mode }) => mode === "full") ? records.replaceBy(cut) : records.merge(cut);
      since = placeOf(page, page);
      leases = cut.flatMap((part) => part.leases);
      return { ...changed, leases: true, fork, ...(held !== null && lackingOf(held)) };
    },
    /** `known` when it is not new, `hole` when a change before it is missing: then nothing is applied. */
    apply(message: StateMessage): StateChange | "known" | "hole" {
      if (since === undefined || message.seq > since.seq + 1) return "hole";
      if (message.seq <= since.seq) return "known";
      since = placeOf(since, message);
      return { ...records.apply(message), leases: false, fork: null };
    },
  };

  /** How the history that a SYNC is of differs from the one that is held. */
  function forkAt({ hubId, epoch }: HubMessageOf<"SYNC">): Fork | null {
    if (since === undefined || (since.hubId === hubId && since.epoch === epoch)) return null;
    return since.hubId === hubId ? "earlier_state" : "other_hub";
  }

  function heldOf({ hubId, epoch }: Since): Former {
    return { hubId, epoch, orders: [...records.read.orders()], removed: [...records.read.removals()] };
  }

  /** What was held and is not there any more, or not as it was. */
  function lackingOf({ orders, ...held }: Former): { former?: Former } {
    const lacking = orders.filter(({ posReference, version, snapshot }) => {
      const current = records.read.order(posReference);
      return current?.version !== version || JSON.stringify(current.snapshot) !== JSON.stringify(snapshot);
    });
    return lacking.length + held.removed.length === 0 ? {} : { former: { ...held, orders: lacking } };
  }
}

/** A place in the hub's history has its own signature, or none. */
function placeOf({ hubId, epoch }: Pick<Since, "hubId" | "epoch">, at: Pick<Since, "seq" | "signature">): Since {
  const { seq, signature } = at;
  return { hubId, epoch, seq, ...(signature !== undefined && { signature }) };
}
