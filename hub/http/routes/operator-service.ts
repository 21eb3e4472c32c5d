import type { OperatorTicket } from "@comanda/protocol";
import type { OperatorHandlers } from "../handlers.ts";
import type { OperatorRouteDeps } from "./operator-route-deps.ts";

const READY_KEPT = 100;

type Deps = Pick<
  OperatorRouteDeps,
  | "world"
  | "tables"
  | "pos"
  | "overview"
  | "feed"
  | "liveFloorPlan"
  | "stream"
  | "activeOrders"
  | "orderSearch"
  | "ticketsOf"
  | "pairing"
>;

/** What the Service and Kitchen screens read. */
export function operatorServiceRoutes(deps: Deps) {
  const { world, tables, pos, overview, feed, liveFloorPlan, stream, activeOrders, orderSearch, ticketsOf } = deps;

  return {
    overview: ({ manager }) => overview(manager !== null),
    feed: ({ manager }) => ({ entries: feed.list(manager !== null) }),
    floorPlan: ({ manager }) => liveFloorPlan.read(manager !== null),
    tables: () => ({ tables: tables.list(world.clock.now()) }),
    catalogue: () => pos.catalogue() ?? { currency: "", products: {}, paymentMethods: {}, tables: {} },

    stream({ ctx, manager, shownToken, query }) {
      stream.open(ctx.res, { token: shownToken, isManager: manager !== null, peer: ctx.ip }, query.logs);
      ctx.respond = false;
      return undefined;
    },

    pairing: deps.pairing,

    kitchen({ query }) {
      const references = activeOrders.list().map((order) => order.posReference);
      if (query.state === "open") {
        return {
          tickets: references
            .flatMap(ticketsOf)
            .filter((ticket) => ticket.state !== "ready")
            .sort(bySentAt),
        };
      }
      const ready = [...new Set([...references, ...orderSearch.recentlyPaid(READY_KEPT)])]
        .flatMap(ticketsOf)
        .filter((ticket) => ticket.state === "ready");
      return { tickets: ready.sort(bySentAt).slice(-READY_KEPT) };
    },
  } satisfies Partial<OperatorHandlers>;
}

function bySentAt(a: OperatorTicket, b: OperatorTicket): number {
  return a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : 0;
}
