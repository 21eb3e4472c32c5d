import type { CreateOrder, UpdateOrder } from "@comanda/protocol";
import type { ChangeOf } from "../../../changes/change.ts";
import type { KeyHolder } from "../../../keys/key-store.ts";
import type { CreatedOrder } from "../../../orders/create-external-order.ts";
import type { OrderList } from "../../../orders/lists/order-list.ts";
import { presentStored, presentWritten } from "../../../orders/lists/present-order.ts";
import type { OrderStore } from "../../../orders/store/order-store.ts";
import { requireFound } from "../../../platform/errors.ts";
import { Reply, type ExternalHandlers } from "../../handlers.ts";

export function externalOrderRoutes({
  orders,
  list,
  create,
  update,
}: {
  orders: OrderStore;
  list: OrderList;
  create(key: KeyHolder, input: CreateOrder): Promise<CreatedOrder>;
  update(key: KeyHolder, posReference: string, input: UpdateOrder): Promise<ChangeOf<"order.stored">>;
}) {
  return {
    listOrders: async ({ query: { status }, key }) =>
      new Reply(await (status === "all" ? list.all(key.keyId) : list.active())),

    readOrder({ params: { ref } }) {
      const stored = requireFound(orders.get(ref), `there is no order ${ref}`);
      return new Reply(presentStored(stored));
    },

    async createOrder({ key, body }) {
      const result = await create(key, body);
      return "created" in result
        ? new Reply(presentWritten(result.created.order))
        : new Reply(presentStored(result.replayed), 200);
    },

    updateOrder: async ({ key, params: { ref }, body }) => presentWritten((await update(key, ref, body)).order),
  } satisfies Partial<ExternalHandlers>;
}
