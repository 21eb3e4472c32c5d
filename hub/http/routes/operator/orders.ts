import { sentence, type Overview } from "@comanda/protocol";
import type { Jobs } from "../../../jobs/jobs.ts";
import type { LiveFloorPlanState } from "../../../operator/service/live-floor-plan.ts";
import type { OrderHistory } from "../../../operator/orders/order-history.ts";
import type { OrderRows } from "../../../operator/orders/order-rows.ts";
import type { Tx } from "../../../changes/change.ts";
import type { RevertRequest } from "../../../orders/revert-order.ts";
import type { Written } from "../../../orders/store/save-version.ts";
import {
  type FoundPage,
  isPresentSearch,
  type OrderSearch,
  type PageRange,
  searchOrdersJob,
  type OrderFinder,
} from "../../../orders/lists/order-search.ts";
import { isoTime, type World } from "../../../platform/world.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { abortOnClose } from "../../abort-on-close.ts";
import { nextCursor, readCursor } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

interface Deps extends Pick<Stores, "changes" | "audit"> {
  world: World;
  dbPath: string;
  history: OrderHistory;
  liveFloorPlan: LiveFloorPlanState;
  orderRows: OrderRows;
  orderSearch: OrderFinder;
  jobs: Jobs;
  hub: Overview["hub"];
  revertOrder(tx: Tx, request: RevertRequest): Written;
}

export function operatorOrderRoutes(deps: Deps) {
  const { world, changes, audit, history, liveFloorPlan, orderRows } = deps;

  /** Searches active orders directly, and all orders on a worker thread. */
  async function findOrders(search: OrderSearch, page: PageRange, signal: AbortSignal): Promise<FoundPage> {
    if (isPresentSearch(search)) return deps.orderSearch.page(search, page);
    return deps.jobs.query(searchOrdersJob, { file: deps.dbPath, search, ...page }, { signal });
  }

  return {
    async orders({ query, ctx }) {
      const { status, search = null, tableId = null, orderType = null, limit } = query;
      const tableIds = search === null || search === "" ? [] : liveFloorPlan.named(search);
      const criteria = { status, search, tableIds, tableId, orderType };
      const below = readCursor(query.cursor) ?? Number.MAX_SAFE_INTEGER;
      const { found, ...total } = await findOrders(criteria, { below, limit }, abortOnClose(ctx.res));
      return {
        orders: orderRows(found.map((each) => each.posReference)),
        nextCursor: nextCursor(found, limit, (order) => order.seq),
        ...total,
      };
    },

    order: ({ params }) => history.detail(params.posReference),
    orderVersions: ({ params }) => ({ versions: history.versions(params.posReference) }),

    orderVersion({ params: { posReference, version: text } }) {
      const version = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      const { terminalId: origin, snapshot } = history.content(posReference, version);
      return { version, at: snapshot.updatedAt, origin, snapshot };
    },

    orderTimeline: ({ params }) => ({ entries: history.timeline(params.posReference) }),

    async revertOrder({ params: { posReference }, body: { version, baseVersion }, manager: { userName } }) {
      const written = await changes.write((tx) => {
        const result = deps.revertOrder(tx, { posReference, version, baseVersion, userName });
        audit.record(tx, userName, "order.revert", posReference, sentence("note_version", { version }));
        return result;
      });
      return { posReference, version: written.version };
    },

    exportOrder({ params: { posReference } }) {
      const { order } = history.detail(posReference);
      const { id, name, version } = deps.hub;
      const content = {
        exportedAt: isoTime(world.clock.now()),
        hub: { id, name, version },
        order,
        versions: history.versions(posReference),
        timeline: history.timeline(posReference),
      };
      return {
        name: `order-${posReference}.json`,
        type: "application/json; charset=utf-8",
        content: `${JSON.stringify(content, null, 2)}\n`,
      };
    },
  } satisfies Partial<OperatorHandlers>;
}
