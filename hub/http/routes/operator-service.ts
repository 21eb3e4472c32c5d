import type { OperatorTicket, Overview, Pairing } from "@comanda/protocol";
import type { PosState } from "../../back-office/pos-state.ts";
import type { ActiveOrders } from "../../operator/active-orders.ts";
import type { Feed } from "../../operator/feed.ts";
import type { TicketReader } from "../../operator/kitchen-tickets.ts";
import type { LiveFloorPlanState } from "../../operator/live-floor-plan.ts";
import type { OperatorStream } from "../../operator/stream.ts";
import type { OrderDeps } from "../../orders/order-deps.ts";
import type { OrderFinder } from "../../orders/order-search.ts";
import type { OperatorHandlers } from "../handlers.ts";

const READY_KEPT = 100;

interface Deps extends Pick<OrderDeps, "world" | "tables"> {
  pos: PosState;
  overview(isManager: boolean): Overview;
  feed: Feed;
  liveFloorPlan: LiveFloorPlanState;
  stream: OperatorStream;
  orderSearch: OrderFinder;
  ticketsOf: TicketReader;
  pairing(): Pairing;
  activeOrders: ActiveOrders;
}

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
