import {
  isActive,
  type KitchenTicket,
  type OrderDetail,
  type Payment,
  type PosConfig,
  type StoredOrder,
  type TimelineEntry,
  type UnappliedPayment as ShownPayment,
} from "@comanda/protocol";
import { sum } from "@comanda/rules";
import { takesLinesOf } from "../../fiscal/refunder.ts";
import { requireFound } from "../../platform/errors.ts";
import { isoTime } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import { createOrderVersions } from "./order-versions.ts";
import { presentPayment } from "../back-office/present-payment.ts";

/** One attempt of a webhook delivery about an order. */
export type WebhookAttempt = Omit<Extract<TimelineEntry, { kind: "webhook" }>, "kind">;

export type OrderHistory = ReturnType<typeof createOrderHistory>;

/** Everything that the hub knows about one order, including discarded ones. */
export function createOrderHistory(
  deps: Pick<
    Stores,
    "orders" | "leases" | "tickets" | "unappliedPayments" | "versionPeople" | "events" | "audit" | "refunds"
  > & {
    webhookAttempts: (posReference: string) => WebhookAttempt[];
    posConfig(): PosConfig | null;
  },
) {
  const { orders, events, leases, unappliedPayments, audit } = deps;
  const { find, versions } = createOrderVersions(deps);

  function payments(posReference: string): ShownPayment[] {
    return unappliedPayments.listByOrder(posReference).map((payment) => presentPayment(payment, orders));
  }

  function creditNotes(posReference: string): OrderDetail["creditNotes"] {
    return deps.refunds.listByOrder(posReference).flatMap((refund) => {
      if (refund.state !== "made") return [];
      const { at, madeAt = at, by, approvedBy, ncf = null, amount, total = amount, refund: payments, reason } = refund;
      const people = { userName: by, ...(approvedBy !== undefined && { approvedBy }) };
      return [{ at: madeAt, ...people, ncf, total, amount, refund: payments, reason }];
    });
  }

  function attention(posReference: string): Pick<OrderDetail, "attention"> {
    const { note = null, error = null, errorCode = null } = events.listByOrder(posReference).at(-1) ?? {};
    if (note !== null) return { attention: { error: { words: note }, errorCode: null } };
    return error === null ? {} : { attention: { error, errorCode } };
  }

  function refunding(): OrderDetail["refunding"] {
    const config = deps.posConfig();
    return { takesLines: takesLinesOf(config), paymentMethods: config?.paymentMethods ?? [] };
  }

  return {
    versions,

    detail(posReference: string): OrderDetail {
      const { order, removal } = find(posReference);
      const mergedInto = removal?.mergedInto ?? null;
      return {
        order,
        removed: removal !== null,
        ...(mergedInto !== null && { mergedInto: [...mergedInto] }),
        ...(removal === null && order.forward?.state === "attention" && attention(posReference)),
        lease: leases.holder(posReference),
        payments: payments(posReference),
        creditNotes: creditNotes(posReference),
        ...(removal === null && !isActive(order.snapshot.status) && { refunding: refunding() }),
      };
    },

    content: (posReference: string, version: number): StoredOrder =>
      requireFound(orders.versionBody(posReference, version), `order ${posReference} has no version ${version}`),

    /** Everything that happened to the order, oldest first. */
    timeline(posReference: string): TimelineEntry[] {
      const { order } = find(posReference);
      const entries: TimelineEntry[] = [
        ...versions(posReference).map((version): TimelineEntry => ({ kind: "version", at: version.at, version })),
        ...deps.tickets.listByOrder(posReference).tickets.flatMap(({ ticket }) => ticketEntries(ticket)),
        ...paymentEntries(order),
        ...payments(posReference).map((payment): TimelineEntry => ({
          kind: "payment_unapplied",
          at: payment.receivedAt,
          payment,
        })),
        ...forwardEntries(posReference),
        ...deps.webhookAttempts(posReference).map((tried): TimelineEntry => ({ kind: "webhook", ...tried })),
        ...creditNotes(posReference).map((note): TimelineEntry => ({ kind: "credit_note", ...note })),
        ...audit
          .listByTarget(posReference)
          // The credit note's own entry has more detail.
          .filter(({ action }) => action !== "order.credit_note")
          .map(({ at, action, userName, note }): TimelineEntry => ({ kind: "operator", at, action, userName, note })),
      ];
      return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    },
  };

  function forwardEntries(posReference: string): TimelineEntry[] {
    return events.listByOrder(posReference).flatMap((event) => {
      let attempt = 0;
      return events.listAttempts(event.id).map((tried): TimelineEntry => {
        if (tried.outcome !== "set_aside") attempt += 1;
        const outcome = tried.outcome === "refused" ? "failed" : tried.outcome;
        const { detail: error, errorCode } = tried;
        return { kind: "forward", at: isoTime(tried.at), attempt, outcome, error, errorCode };
      });
    });
  }
}

function ticketEntries(ticket: KitchenTicket): TimelineEntry[] {
  return [
    {
      kind: "ticket_sent",
      at: ticket.sentAt,
      ticketId: ticket.id,
      by: ticket.sentBy,
      stationName: ticket.stationName,
      items: ticket.lines.length,
      quantity: sum(ticket.lines.map(({ quantity }) => quantity)),
      late: ticket.late === true,
    },
    ...ticket.seen.map(({ stationId, at }): TimelineEntry => ({
      kind: "ticket_seen",
      at,
      ticketId: ticket.id,
      stationId,
      stationName: stationId === ticket.stationId ? ticket.stationName : null,
    })),
    ...readyEntry(ticket),
  ];
}

function readyEntry({ id: ticketId, readyAt: at, stationName, sentAt, lines }: KitchenTicket): TimelineEntry[] {
  // A ticket whose lines were all cancelled was never made.
  if (at === null || lines.every(({ state }) => state === "cancelled")) return [];
  return [{ kind: "ticket_ready", at, ticketId, stationName, sentAt }];
}

/** Returns entries for tenders as they were taken and voided, and for other payments when they settled the check. */
function paymentEntries({ snapshot }: StoredOrder): TimelineEntry[] {
  const tenders = (snapshot.tenders ?? []).flatMap((tender): TimelineEntry[] => {
    const { voided, takenAt, takenBy, terminalId } = tender;
    const paid = paymentEntry(tender, takenAt, takenBy, terminalId);
    if (voided === undefined) return [paid];
    const { amount, methodId } = tender;
    return [paid, { kind: "tender_voided", ...voided, amount, methodId: String(methodId) }];
  });
  const at = snapshot["paidAt"];
  const by = snapshot["paidBy"];
  if (typeof at !== "string") return tenders;
  const others = (snapshot.payments ?? []).filter((payment) => !("tenderId" in payment));
  return [...tenders, ...others.map((payment) => paymentEntry(payment, at, typeof by === "string" ? by : ""))];
}

function paymentEntry(payment: Payment, at: string, by: string, terminalId: string | null = null): TimelineEntry {
  const { amount, methodId, tendered = null, change = null, tip = null } = payment;
  return { kind: "payment", at, by, amount, methodId: String(methodId), tendered, change, tip, terminalId };
}
