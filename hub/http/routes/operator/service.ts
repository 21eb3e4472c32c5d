import type { Overview, Pairing } from "@comanda/protocol";
import type { PosState } from "../../../back-office/pos-state.ts";
import type { Feed } from "../../../operator/stream/feed.ts";
import type { KitchenTickets } from "../../../operator/service/kitchen-tickets.ts";
import type { LiveFloorPlanState } from "../../../operator/service/live-floor-plan.ts";
import { sampleOrder } from "../../../operator/integrations/sample-order.ts";
import type { SharedAnswers } from "../../../operator/stream/shared-answers.ts";
import type { OperatorStream } from "../../../operator/stream/stream.ts";
import { Reply, type OperatorHandlers } from "../../handlers.ts";
import type { World } from "../../../platform/world.ts";
import type { TableStore } from "../../../tables/table-store.ts";

interface Deps {
  world: World;
  tables: TableStore;
  pos: PosState;
  overview(isManager: boolean): Overview;
  feed: Feed;
  liveFloorPlan: LiveFloorPlanState;
  stream: OperatorStream;
  sharedAnswers: SharedAnswers;
  kitchenTickets: KitchenTickets;
  pairing(isTrusted: boolean): Pairing;
}

/** Routes of the Service and Kitchen screens. */
export function operatorServiceRoutes(deps: Deps) {
  const { world, tables, pos, overview, feed, liveFloorPlan, stream, sharedAnswers, kitchenTickets } = deps;

  function shared(name: string, isManager: boolean, read: (isManager: boolean) => unknown): Reply {
    return new Reply(sharedAnswers.read(`${name}, ${isManager}`, () => read(isManager)));
  }

  return {
    overview: ({ manager }) => shared("overview", manager !== null, overview),
    feed: ({ manager }) => shared("feed", manager !== null, (isManager) => ({ entries: feed.list(isManager) })),
    floorPlan: ({ manager }) => shared("floor plan", manager !== null, liveFloorPlan.read),
    tables: () => ({ tables: tables.list(world.clock.now()) }),
    catalogue: () =>
      pos.catalogue() ?? { currency: "", products: {}, categories: {}, paymentMethods: {}, tables: {}, taxes: [] },

    sampleOrder: () => ({ sample: sampleOrder({ world, pos, liveFloorPlan }) }),

    stream({ ctx, manager, shownToken }) {
      stream.open(ctx.res, { token: shownToken, isManager: manager !== null, peer: ctx.ip });
      ctx.respond = false;
      return undefined;
    },

    pairing: ({ manager }) => deps.pairing(manager !== null),

    kitchen: ({ query: { state } }) =>
      shared(`kitchen, ${state}`, true, () => ({ tickets: kitchenTickets.list(state) })),
  } satisfies Partial<OperatorHandlers>;
}
