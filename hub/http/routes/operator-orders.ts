import type { OperatorRoom } from "../../operator/operator-room.ts";
import { revertOrder } from "../../orders/revert-order.ts";
import { isoTime } from "../../platform/world.ts";
import { clientGone } from "../client-gone.ts";
import { readCursor } from "../cursor.ts";
import type { OperatorHandlers } from "./operator-routes.ts";

type Names = "orders" | "order" | "orderVersions" | "orderVersion" | "orderTimeline" | "revertOrder" | "exportOrder";

export function operatorOrderRoutes(room: OperatorRoom): Pick<OperatorHandlers, Names> {
  const { world, changes, audit, history, plan, orderDeps } = room;

  return {
    async orders({ query, ctx }) {
      const { status, search = null, tableId = null, orderType = null, limit } = query;
      const tableIds = search === null || search === "" ? [] : plan.named(search);
      const wanted = { status, search, tableIds, tableId, orderType };
      const below = readCursor(query.cursor) ?? Number.MAX_SAFE_INTEGER;
      const { found, ...total } = await room.findOrders(wanted, { below, limit }, clientGone(ctx.res));
      const last = found.length === limit ? found.at(-1) : undefined;
      return {
        orders: room.rowsOf(found.map((each) => each.posReference)),
        nextCursor: last === undefined ? null : String(last.seq),
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
        const result = revertOrder(orderDeps, tx, { posReference, version, baseVersion, userName });
        audit.record(tx, userName, "order.revert", posReference, `to version ${version}`);
        return result;
      });
      return { posReference, version: written.version };
    },

    exportOrder({ params: { posReference } }) {
      const { order } = history.detail(posReference);
      const { id, name, version } = room.hub;
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
  };
}
