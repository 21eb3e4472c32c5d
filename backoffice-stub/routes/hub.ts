import { BatchSyncRequest, FinalizeRequest, LookupRequest, type LookupAnswer } from "@comanda/protocol";
import type { Faults } from "../control/faults.ts";
import type { QuirkSwitches } from "../control/quirks.ts";
import type { Routes } from "../http/routes.ts";
import { finalizeOrder, type FinalizeChecks } from "../orders/finalize-order.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { syncBatch } from "../orders/sync-batch.ts";
import { parse } from "../parse.ts";

export function hubRoutes(
  routes: Routes,
  deps: OrderDeps,
  { faults, quirks }: { faults: Faults; quirks: QuirkSwitches },
): void {
  const checks: FinalizeChecks = {
    refusalOf: (posReference) => faults.refusalOf(posReference),
    verifiesTotals: () => quirks.get().verifyTotals,
    signing: () => quirks.get(),
  };

  routes.post("/hub/batch-sync", ({ body }) => syncBatch(deps, checks, parse(BatchSyncRequest, body)));

  routes.post("/hub/finalize", ({ body }) => {
    const { eventId, posReference, order } = parse(FinalizeRequest, body);
    return finalizeOrder(deps, checks, { eventId, posReference, order });
  });

  routes.post("/hub/lookup", ({ body }): LookupAnswer => {
    const { posReferences } = parse(LookupRequest, body);
    return { orders: deps.stores.orders.lookUp(posReferences) };
  });
}
