import type { ItemState, PluginRecord, TableState, TillState } from "@comanda/protocol";
import type { Emitter } from "../../emitter.ts";
import { isOfTill, type Intent, type OutboxEntry } from "../../outbox/entries/outbox-entry.ts";
import type { TerminalWorld } from "../../world.ts";
import type { HubState } from "../hub/hub-state.ts";
import type { LocalState } from "../replay/local-state.ts";
import { localTables } from "../replay/local-tables.ts";
import { readReservations, type Reservations } from "./read-reservations.ts";
import { replayItemStates } from "../replay/replay-item-states.ts";
import { replayTills } from "../replay/replay-tills.ts";
import type { StateChange } from "../hub/state-change.ts";
import { watchReservations } from "./watch-reservations.ts";

/** Changes of the shown state. */
export interface ViewEvents {
  /** Orders that have changed or are gone. */
  orders: readonly string[];
  tables: readonly TableState[];
  /** Kitchen tickets that have changed or are no longer kept. */
  tickets: readonly string[];
  /** Products that are sold out or limited. */
  itemStates: readonly ItemState[];
  tills: readonly TillState[];
  plugins: readonly PluginRecord[];
  /** Records or phases changed. */
  reservations: Reservations;
}

export type View = ReturnType<typeof createView>;

/** The restaurant as the user sees it, with events for its changes. */
export function createView(deps: {
  hub: HubState;
  local: LocalState;
  waiting: () => readonly OutboxEntry[];
  emitter: Emitter<ViewEvents>;
  timers: TerminalWorld["timers"];
  /** The hub's time in ms since 1970. */
  now: () => number;
}) {
  const { hub, local, waiting, emitter, timers, now } = deps;
  const itemStates = () => replayItemStates(hub.itemStates(), waiting(), now(), local.ticketsOfSend);
  const tills = () => replayTills(hub.tills(), waiting());
  const tables = () => localTables(hub.tables(), { shown: local.all(), onHub: hub.orders() }, now());
  const reservations = () => readReservations(hub.pluginRecords(), local.all(), now());
  const watch = watchReservations({
    timers,
    now,
    read: reservations,
    changed: (changed) => emitter.emit("reservations", changed),
  });

  return {
    itemStates,
    tills,
    tables,
    reservations,
    /** Handles mutations that entered, left or changed in the outbox. `left`: the only change is that this entry left it. */
    outboxChanged(intents: readonly Intent[], left?: OutboxEntry): void {
      ordersChanged(local.outboxChanged(intents, left));
      const kitchen = intents.filter(({ type }) => type.startsWith("KITCHEN_"));
      const tickets = kitchen.flatMap((each) => ("kitchenTicketId" in each ? [each.kitchenTicketId ?? ""] : []));
      if (kitchen.length > 0) emitter.emit("tickets", tickets);
      if ([...intents, ...waiting().map(({ intent }) => intent)].some(isOfStock)) itemsChanged();
      if (intents.some(isOfTill)) tillsChanged();
    },
    ordersOnHubChanged: ({ orders, tickets }: StateChange): void => ordersChanged(local.hubChanged(orders, tickets)),
    restOnHubChanged(change: StateChange): void {
      if (change.tickets.length > 0) emitter.emit("tickets", change.tickets);
      if (change.items) itemsChanged();
      if (change.tills) tillsChanged();
      if (change.tables.length > 0) tablesChanged();
      if (change.plugins) emitter.emit("plugins", [...hub.pluginRecords()]);
      // A reconnect may have changed the hub's time, and with it the phases.
      if (change.plugins || change.leases) watch.refresh();
    },
    stop: watch.stop,
  };

  function ordersChanged(changed: readonly string[]): void {
    if (changed.length === 0) return;
    emitter.emit("orders", changed);
    tablesChanged();
  }

  function tillsChanged(): void {
    if (emitter.has("tills")) emitter.emit("tills", tills());
  }

  function itemsChanged(): void {
    if (emitter.has("itemStates")) emitter.emit("itemStates", itemStates());
  }

  /** Computed only if there are listeners: with a thousand orders the list is expensive. */
  function tablesChanged(): void {
    if (emitter.has("tables")) emitter.emit("tables", tables());
  }
}

/** Whether a mutation sets a product's state, or sends products, which are counted down. */
function isOfStock({ type }: Intent): boolean {
  return type === "ITEM_STATE_SET" || type === "ORDER_SEND";
}
