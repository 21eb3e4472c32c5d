import type { OperatorTicket } from "@comanda/protocol";
import { presentPairing } from "../../operator/pairing.ts";
import type { OperatorRoom } from "../../operator/operator-room.ts";
import type { OperatorHandlers } from "./operator-routes.ts";

type Names = "overview" | "feed" | "floorPlan" | "stream" | "tables" | "catalogue" | "pairing" | "kitchen";

const READY_KEPT = 100;

/** What the Service and Kitchen screens read. */
export function operatorServiceRoutes(room: OperatorRoom, port: () => number): Pick<OperatorHandlers, Names> {
  const { world, active, finder, plan, pos } = room;

  return {
    overview: ({ manager }) => room.overview(manager !== null),
    feed: ({ manager }) => ({ entries: room.feed.list(manager !== null) }),
    floorPlan: ({ manager }) => plan.read(manager !== null),
    tables: () => ({ tables: room.tables.list(world.clock.now()) }),
    catalogue: () => pos.catalogue() ?? { currency: "", products: {}, paymentMethods: {}, tables: {} },

    stream({ ctx, manager, shownToken, query }) {
      room.stream.open(ctx.res, { token: shownToken, isManager: manager !== null, peer: ctx.ip }, query.logs);
      ctx.respond = false;
      return undefined;
    },

    pairing: () =>
      presentPairing({ hubId: room.hubId, name: room.config.name, port: port(), announcer: room.announcer }),

    kitchen({ query }) {
      const references = active.list().map((order) => order.posReference);
      if (query.state === "open") {
        return {
          tickets: references
            .flatMap(room.ticketsOf)
            .filter((ticket) => ticket.state !== "ready")
            .sort(bySentAt),
        };
      }
      const ready = [...new Set([...references, ...finder.recentlyPaid(READY_KEPT)])]
        .flatMap(room.ticketsOf)
        .filter((ticket) => ticket.state === "ready");
      return { tickets: ready.sort(bySentAt).slice(-READY_KEPT) };
    },
  };
}

function bySentAt(a: OperatorTicket, b: OperatorTicket): number {
  return a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : 0;
}
