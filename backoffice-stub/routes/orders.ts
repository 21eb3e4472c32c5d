import { CreditNoteRequest, ReleaseNcfRequest, ReserveNcfRequest, SubmittedOrder } from "@comanda/protocol";
import type { Routes } from "../http/routes.ts";
import { createOrder } from "../orders/create-order.ts";
import type { QuirkSwitches } from "../control/quirks.ts";
import { creditLines } from "../orders/credit-lines.ts";
import { creditOrder } from "../orders/credit-order.ts";
import { receiptOfNote } from "../orders/electronic-receipt.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { presentOrder } from "../orders/present-order.ts";
import { releaseNcf } from "../orders/release-ncf.ts";
import { reserveNcf } from "../orders/reserve-ncf.ts";
import { parse } from "../parse.ts";
import { requirePermission, requireRefunder } from "../sign-in/rights.ts";

const WholeNote = CreditNoteRequest.pick({ pos_reference: true });
/** Parsed before the rest: a missing permission is reported before any other fault of the body. */
const OnBehalfOf = CreditNoteRequest.pick({ onBehalfOf: true });

export function orderRoutes(routes: Routes, deps: OrderDeps, quirks: QuirkSwitches): void {
  routes.post("/orders/create", ({ body }) => {
    const { existing, order } = createOrder(deps, parse(SubmittedOrder, body), body);
    return { existing, order: presentOrder(order) };
  });

  routes.post("/orders/reserve-ncf", ({ body }) => reserveNcf(deps, parse(ReserveNcfRequest, body)));

  routes.post("/orders/release-ncf", ({ body }) => releaseNcf(deps, parse(ReleaseNcfRequest, body)));

  routes.post("/orders/credit-note", ({ body, caller }) => {
    if (quirks.get().lacks.includes("creditNotes")) {
      requirePermission(caller, "refund");
      return creditOrder(deps, caller, parse(WholeNote, body));
    }
    const onBehalfOf = OnBehalfOf.safeParse(body).data?.onBehalfOf;
    const user = requireRefunder(caller, onBehalfOf);
    const request = parse(CreditNoteRequest, body);
    const { lines } = request;
    const note =
      lines === undefined ? creditOrder(deps, user, request) : creditLines(deps, user, { ...request, lines });
    return { ...note, ...receiptOfNote(deps, quirks.get(), note) };
  });
}
