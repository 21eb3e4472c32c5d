import { CreditNoteRequest, ReleaseNcfRequest, ReserveNcfRequest, SubmittedOrder } from "@comanda/protocol";
import type { Routes } from "../http/routes.ts";
import { createOrder } from "../orders/create-order.ts";
import { creditOrder } from "../orders/credit-order.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { presentOrder } from "../orders/present-order.ts";
import { releaseNcf } from "../orders/release-ncf.ts";
import { reserveNcf } from "../orders/reserve-ncf.ts";
import { parse } from "../parse.ts";
import { requirePermission } from "../sign-in/rights.ts";

export function orderRoutes(routes: Routes, deps: OrderDeps): void {
  routes.post("/orders/create", ({ body }) => {
    const { existing, order } = createOrder(deps, parse(SubmittedOrder, body), body);
    return { existing, order: presentOrder(order) };
  });

  routes.post("/orders/reserve-ncf", ({ body }) => reserveNcf(deps, parse(ReserveNcfRequest, body)));

  routes.post("/orders/release-ncf", ({ body }) => releaseNcf(deps, parse(ReleaseNcfRequest, body)));

  routes.post("/orders/credit-note", ({ body, caller }) => {
    requirePermission(caller, "refund");
    return creditOrder(deps, caller, parse(CreditNoteRequest, body));
  });
}
