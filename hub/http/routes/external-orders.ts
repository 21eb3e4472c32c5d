import { createExternalOrder, type ExternalOrderDeps } from "../../orders/create-external-order.ts";
import type { OrderList } from "../../orders/lists/order-list.ts";
import { presentStored, presentWritten } from "../../orders/lists/present-order.ts";
import { updateExternalOrder } from "../../orders/update-external-order.ts";
import { HubError } from "../../platform/errors.ts";
import { Reply, type ExternalHandlers } from "../handlers.ts";

export function externalOrderRoutes(deps: ExternalOrderDeps, list: OrderList) {
  return {
    listOrders: async ({ query: { status }, key }) =>
      new Reply(await (status === "all" ? list.all(key.keyId) : list.active())),

    readOrder({ params: { ref } }) {
      const stored = deps.orders.get(ref);
      if (stored === null) throw new HubError("NOT_FOUND", `there is no order ${ref}`);
      return new Reply(presentStored(stored));
    },

    async createOrder({ key, body }) {
      const result = await createExternalOrder(deps, key, body);
      return "created" in result
        ? new Reply(presentWritten(result.created))
        : new Reply(presentStored(result.replayed), 200);
    },

    updateOrder: async ({ key, params: { ref }, body }) =>
      new Reply(presentWritten(await updateExternalOrder(deps, key, ref, body))),
  } satisfies Partial<ExternalHandlers>;
}
