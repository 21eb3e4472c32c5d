import { CreateOrder, UpdateOrder } from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import { createExternalOrder, type ExternalOrderDeps } from "../../orders/create-external-order.ts";
import type { OrderList } from "../../orders/order-list.ts";
import { presentStored, presentWritten } from "../../orders/present-order.ts";
import { updateExternalOrder } from "../../orders/update-external-order.ts";
import { endpoint, ok, type Endpoint } from "../external/endpoint.ts";

export function orderEndpoints(room: ExternalOrderDeps, list: OrderList): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/orders",
      scope: "read",
      handle: async ({ query, key }) => ok(await (statusOf(query) === "all" ? list.all(key.keyId) : list.active())),
    }),
    endpoint({
      method: "GET",
      path: "/orders/:ref",
      scope: "read",
      async handle({ params: { ref = "" } }) {
        await room.changes.settled();
        const stored = room.orders.get(ref);
        if (stored === null) throw new HubError("NOT_FOUND", `there is no order ${ref}`);
        return ok(presentStored(stored));
      },
    }),
    endpoint({
      method: "POST",
      path: "/orders",
      scope: "orders:write",
      body: CreateOrder,
      async handle({ key, body }) {
        const done = await createExternalOrder(room, key, body);
        return "created" in done
          ? { status: 201, body: presentWritten(done.created) }
          : ok(presentStored(done.replayed));
      },
    }),
    endpoint({
      method: "PATCH",
      path: "/orders/:ref",
      scope: "orders:write",
      body: UpdateOrder,
      handle: async ({ key, params: { ref = "" }, body }) =>
        ok(presentWritten(await updateExternalOrder(room, key, ref, body))),
    }),
  ];
}

function statusOf(query: URLSearchParams): "active" | "all" {
  const [status = "active", ...more] = query.getAll("status");
  if (more.length === 0 && (status === "active" || status === "all")) return status;
  throw new HubError("VALIDATION_ERROR", "status: must be active or all");
}
