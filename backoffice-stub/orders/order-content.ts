import { ForwardedOrder, SubmittedOrder } from "@comanda/protocol";
import type { BackOfficeLine, BackOfficePayment, BackOfficeTotals } from "@comanda/protocol";
import type { StoredOrder } from "../stores/orders.ts";

/** The common content of submitted and forwarded orders. */
export interface OrderContent {
  customerId: string | number | null;
  rnc: string | null;
  lines: BackOfficeLine[];
  totals: BackOfficeTotals;
  payments: BackOfficePayment[];
}

/** Parses the content of a received order. */
export function contentOf(order: Pick<StoredOrder, "source" | "received">): OrderContent {
  return order.source === "hub"
    ? forwardedContent(ForwardedOrder.parse(order.received))
    : submittedContent(SubmittedOrder.parse(order.received));
}

export function submittedContent(order: SubmittedOrder): OrderContent {
  return {
    customerId: order.customerId ?? null,
    rnc: order.rnc ?? null,
    lines: order.lines,
    totals: order.totals,
    payments: order.payments ?? [],
  };
}

export function forwardedContent({ snapshot }: ForwardedOrder): OrderContent {
  return {
    customerId: snapshot.customerId ?? null,
    rnc: typeof snapshot["rnc"] === "string" ? snapshot["rnc"] : null,
    lines: snapshot.lines,
    totals: snapshot.totals,
    payments: snapshot.payments,
  };
}
