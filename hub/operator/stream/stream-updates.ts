import type { StoredOrder } from "@comanda/protocol";
import type { Change } from "../../changes/change.ts";
import { tablesOf } from "@comanda/rules";
import type { World } from "../../platform/world.ts";
import type { ActiveTerminal } from "../../terminals/sessions/terminal-session.ts";
import type { ActiveOrders } from "../orders/active-orders.ts";
import { newsOfChange, type Feed } from "./feed.ts";
import type { LiveFloorPlanState } from "../service/live-floor-plan.ts";
import type { OperatorStream, PendingUpdates } from "./stream.ts";

/** Timers may fire a little before the wall clock says so. */
const TIMER_MARGIN_MS = 10;

/** What each change of the hub wakes on the screens: lines of the feed, and parts of the live stream. */
export function createStreamUpdates(deps: {
  world: World;
  /** How long a terminal that left counts as reconnecting. */
  graceMs: number;
  stream: Pick<OperatorStream, "note">;
  feed: Feed;
  activeOrders: ActiveOrders;
  liveFloorPlan: LiveFloorPlanState;
}) {
  const { stream, feed, activeOrders, liveFloorPlan } = deps;
  const { timers } = deps.world;
  const graces = new Set<NodeJS.Timeout>();

  function addToFeed(news: Parameters<Feed["add"]>[0]): void {
    const entry = feed.add(news);
    stream.note((updates) => void updates.feed.push(entry));
  }

  function noteTerminal(terminalId: string): void {
    stream.note((updates) => {
      updates.terminals.add(terminalId);
      updates.overview = true;
    });
  }

  function noteBackOffice(): void {
    stream.note((updates) => {
      updates.topics.add("back_office");
      updates.overview = true;
    });
  }

  function noteChange(updates: PendingUpdates, change: Change): void {
    const { orders, removed, tickets, terminals, topics } = updates;
    switch (change.kind) {
      case "order.stored": {
        const { posReference } = change.order;
        // A moved order also leaves tables behind.
        noteTables(updates, activeOrders.get(posReference));
        noteTables(updates, change.order);
        orders.add(posReference);
        if (change.did === null || change.did === "paid" || change.did === "closed") topics.add("forward");
        return;
      }
      case "order.removed":
        noteTables(updates, change.last);
        orders.delete(change.posReference);
        removed.set(change.posReference, change.version);
        return;
      case "ticket.changed":
        tickets.add(change.ticket.id);
        return;
      case "table.changed":
        noteTable(updates, change.table.tableId);
        return;
      case "item.changed":
        topics.add("item_states");
        return;
      case "plugin.stored":
      case "plugin.removed":
        topics.add("plugins").add("reservations");
        return;
      case "lease.changed": {
        topics.add("leases");
        const order = activeOrders.get(change.posReference);
        noteTables(updates, order);
        if (order !== null) orders.add(change.posReference);
        if (change.holder !== null) terminals.add(change.holder.terminalId);
        return;
      }
      case "lease.revoked":
        terminals.add(change.from);
        return;
      case "session.changed":
        topics.add("back_office");
        return;
      case "notice":
        for (const topic of change.notice.topics) topics.add(topic);
        return;
      case "change.decided":
      case "menu.changed":
    }
  }

  function noteTables(updates: PendingUpdates, order: StoredOrder | null): void {
    for (const tableId of order === null ? [] : tablesOf(order.snapshot)) noteTable(updates, tableId);
  }

  function noteTable({ tables, topics }: PendingUpdates, tableId: number): void {
    if (liveFloorPlan.has(tableId)) tables.add(tableId);
    else topics.add("floor_plan");
  }

  return {
    addToFeed,
    /** Notes what a commit changed, before `activeOrders` follows it. */
    noteChanges(group: readonly Change[]): void {
      stream.note((updates) => {
        for (const change of group) noteChange(updates, change);
        updates.overview = true;
      });
    },
    addChangesToFeed(group: readonly Change[]): void {
      for (const news of group.flatMap(newsOfChange)) addToFeed(news);
    },
    onTerminal(event: "joined" | "replaced" | "left" | "reported", { terminalId, identity }: ActiveTerminal): void {
      noteTerminal(terminalId);
      if (event === "reported") return;
      if (event === "left") {
        const timer = timers.setTimeout(() => {
          graces.delete(timer);
          noteTerminal(terminalId);
        }, deps.graceMs + TIMER_MARGIN_MS);
        graces.add(timer);
      }
      const kind = ({ joined: "terminal_joined", replaced: "terminal_replaced", left: "terminal_left" } as const)[
        event
      ];
      addToFeed({ kind, level: "info", detail: { terminalId, userName: identity.userName } });
    },
    /** `everReached`: it did answer before, perhaps in an earlier run. */
    onReachable(isUp: boolean, everReached: boolean): void {
      const down = everReached ? "back_office_down" : "back_office_not_reached";
      addToFeed(isUp ? { kind: "back_office_up", level: "info" } : { kind: down, level: "warn" });
      noteBackOffice();
    },
    noteBackOffice,
    stop: (): void => graces.forEach((timer) => timers.clearTimeout(timer)),
  };
}
