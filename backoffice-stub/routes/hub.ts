import { BatchSyncRequest, FinalizeRequest, LookupRequest, type LookupAnswer } from "@comanda/protocol";
import type { Faults } from "../control/faults.ts";
import type { Routes } from "../http/routes.ts";
import { finalizeOrder, type RefusalOf } from "../orders/finalize-order.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { syncBatch } from "../orders/sync-batch.ts";
import { parse } from "../parse.ts";

export function hubRoutes(routes: Routes, deps: OrderDeps, faults: Faults): void {
  const refusalOf: RefusalOf = (posReference) => faults.refusalOf(posReference);

  routes.post("/hub/batch-sync", ({ body }) => syncBatch(deps, refusalOf, parse(BatchSyncRequest, body)));

  routes.post("/hub/finalize", ({ body }) => {
    const { eventId, posReference, order } = parse(FinalizeRequest, body);
    return finalizeOrder(deps, refusalOf, { eventId, posReference, order });
  });

  routes.post("/hub/lookup", ({ body }): LookupAnswer => {
    const { posReferences } = parse(LookupRequest, body);
    return { orders: deps.stores.orders.lookUp(posReferences) };
  });
}
