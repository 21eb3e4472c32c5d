import type { StreamTopic } from "@comanda/protocol";
import type { Change } from "../../changes/change.ts";
import type { World } from "../../platform/world.ts";
import type { ActiveTerminal } from "../../terminals/sessions/terminal-session.ts";
import { feedEntriesOf, type Feed } from "./feed.ts";
import type { OperatorStream } from "./stream.ts";

/** Timers may fire slightly before the wall-clock time. */
const TIMER_MARGIN_MS = 10;

/** Maps changes of the hub to the topics that screens must reload, and to entries in their feed. */
export function createStreamUpdates(deps: {
  world: World;
  /** How long a terminal that left counts as reconnecting. */
  graceMs: number;
  stream: Pick<OperatorStream, "note">;
  feed: Feed;
}) {
  const { stream, feed } = deps;
  const { timers } = deps.world;
  const graces = new Set<NodeJS.Timeout>();

  function addToFeed(item: Parameters<Feed["add"]>[0]): void {
    feed.add(item);
    stream.note(["feed"]);
  }

  const noteTerminals = (): void => stream.note(["terminals", "overview"]);
  const noteBackOffice = (): void => stream.note(["back_office", "overview"]);

  return {
    addToFeed,
    /** Listens to each commit. */
    follow(group: readonly Change[]): void {
      for (const item of group.flatMap(feedEntriesOf)) addToFeed(item);
      stream.note(["overview", ...group.flatMap(topicsOf)], group.flatMap(ordersOf));
    },
    onTerminal(event: "joined" | "replaced" | "left" | "reported", { terminalId, identity }: ActiveTerminal): void {
      noteTerminals();
      if (event === "reported") return;
      if (event === "left") {
        const timer = timers.setTimeout(() => {
          graces.delete(timer);
          noteTerminals();
        }, deps.graceMs + TIMER_MARGIN_MS);
        graces.add(timer);
      }
      const kind = ({ joined: "terminal_joined", replaced: "terminal_replaced", left: "terminal_left" } as const)[
        event
      ];
      addToFeed({ kind, level: "info", detail: { terminalId, userName: identity.userName } });
    },
    /** `everReached`: the back-office has answered before, maybe in an earlier run. */
    onReachable(isUp: boolean, everReached: boolean): void {
      const down = everReached ? "back_office_down" : "back_office_not_reached";
      addToFeed(isUp ? { kind: "back_office_up", level: "info" } : { kind: down, level: "warn" });
      noteBackOffice();
    },
    noteBackOffice,
    stop: (): void => graces.forEach((timer) => timers.clearTimeout(timer)),
  };
}

function topicsOf(change: Change): StreamTopic[] {
  switch (change.kind) {
    case "order.stored": {
      const isAboutAccounting =
        change.versionKind === null || change.versionKind === "paid" || change.versionKind === "closed";
      return ["orders", "floor_plan", ...(isAboutAccounting ? (["forward"] as const) : [])];
    }
    case "order.removed":
      return ["orders", "floor_plan"];
    case "ticket.changed":
      return ["kitchen"];
    case "table.changed":
      return ["floor_plan"];
    case "till.changed":
      return ["tills"];
    case "item.changed":
      return ["item_states"];
    case "plugin.stored":
    case "plugin.removed":
      return ["plugins", "reservations"];
    case "lease.changed":
      return ["leases", "terminals", "orders", "floor_plan"];
    case "lease.revoked":
      return ["terminals"];
    case "print.changed":
      return ["printing"];
    case "session.changed":
      return ["back_office"];
    case "notice":
      return change.notice.topics;
    case "change.decided":
    case "menu.changed":
      return [];
  }
}

function ordersOf(change: Change): string[] {
  if (change.kind === "order.stored") return [change.order.posReference];
  if (change.kind === "order.removed" || change.kind === "lease.changed") return [change.posReference];
  const posReference = change.kind === "notice" ? change.notice.feed?.detail?.posReference : undefined;
  return posReference === undefined ? [] : [posReference];
}
