import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { PaymentMethod } from "../back-office/payments.ts";
import { route } from "../http/http-route.ts";
import { ForwardState, OrderStatus, OrderType, StoredOrder, Totals } from "../orders/orders.ts";
import { FiscalState } from "../money/payments.ts";
import { LeaseHolder } from "../terminal.ts";
import { countedTotal, Instant, nextCursor, OrderPlace, paging, Writer } from "./common.ts";
import { UnappliedPayment } from "./forwarding.ts";
import {
  CreditNoteMade,
  OrderVersions,
  Timeline,
  TimelineEntry,
  VersionContent,
  OrderVersion,
} from "./order-history.ts";
import { Sentence } from "./sentences.ts";

/** `removed`: discarded checks. `attention`: checks whose forwarding, payment or fiscal number waits for a person. */
export const OrderFilter = z.enum(["active", "paid", "removed", "attention", "all"]);

/** `search` covers reference, ticket and check number, customer, staff, table name, fiscal number and receipt code. */
export const OrderQuery = z.strictObject({
  status: OrderFilter.default("active"),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  tableId: z.coerce.number().int().positive().optional(),
  orderType: OrderType.optional(),
  ...paging,
});

/** An order as a row of the list. */
export const OrderRow = z.object({
  posReference: z.string(),
  version: z.int(),
  status: OrderStatus,
  removed: z.boolean(),
  ...OrderPlace.shape,
  customerName: z.string().nullable(),
  staffName: z.string().nullable(),
  guestCount: z.number(),
  itemCount: z.number(),
  totals: Totals,
  createdAt: Instant,
  updatedAt: Instant,
  origin: Writer,
  forward: ForwardState,
  /** A payment that could not be applied to it waits for a manager. */
  unappliedPayment: z.boolean(),
  /** It is paid, but its fiscal number is still pending or was refused. */
  missingNumber: FiscalState.shape.status.extract(["pending", "failed"]).optional(),
  lease: LeaseHolder.nullable(),
});
export type OrderRow = z.infer<typeof OrderRow>;

/** Sorted by last activity, newest first. `total` counts the whole filter; a search of all orders counts up to 1,000. */
export const OrderPage = z.object({ orders: z.array(OrderRow), nextCursor, ...countedTotal });
export type OrderPage = z.infer<typeof OrderPage>;

export const OrderDetail = z.object({
  order: StoredOrder,
  removed: z.boolean(),
  /** The checks that received its lines, if it was merged. */
  mergedInto: z.array(z.string()).optional(),
  /** Why it is not in accounting and needs a manager: the last answer, or the note of the manager who set it aside. */
  attention: z.object({ error: Sentence, errorCode: z.string().nullable() }).optional(),
  lease: LeaseHolder.nullable(),
  payments: z.array(UnappliedPayment),
  creditNotes: z.array(CreditNoteMade).default([]),
  /** How the rest of it can be refunded; absent while it is not paid. */
  refunding: z
    .object({
      /** The back-office issues notes for some lines; otherwise only for the whole check. */
      takesLines: z.boolean(),
      paymentMethods: z.array(PaymentMethod),
    })
    .optional(),
});
export type OrderDetail = z.infer<typeof OrderDetail>;

/** POST /operator/v1/orders/:ref/revert: restores the content of `version` in a new one. CONFLICT if the order has changed. */
export const RevertOrder = z.strictObject({ version: z.int().positive(), baseVersion: z.int().positive() });

/** GET /operator/v1/orders/:ref/export: one file with everything the hub has about the order. */
export const OrderExport = z.object({
  exportedAt: Instant,
  hub: z.object({ id: z.string(), name: z.string(), version: z.string() }),
  order: StoredOrder,
  versions: z.array(OrderVersion),
  timeline: z.array(TimelineEntry),
});

export const orderRoutes = {
  orders: route("GET", "/operator/v1/orders", "manager", {
    summary: "Finds orders, newest activity first.",
    query: OrderQuery,
    answer: OrderPage,
  }),
  order: route("GET", "/operator/v1/orders/:posReference", "manager", {
    summary: "Returns one order.",
    answer: OrderDetail,
  }),
  orderVersions: route("GET", "/operator/v1/orders/:posReference/versions", "manager", {
    summary: "Lists the versions of an order with their differences.",
    answer: OrderVersions,
  }),
  orderVersion: route("GET", "/operator/v1/orders/:posReference/versions/:version", "manager", {
    summary: "Returns the content of one version.",
    answer: VersionContent,
  }),
  orderTimeline: route("GET", "/operator/v1/orders/:posReference/timeline", "manager", {
    summary: "Lists everything that happened to an order, oldest first.",
    answer: Timeline,
  }),
  revertOrder: route("POST", "/operator/v1/orders/:posReference/revert", "manager", {
    summary: "Restores the content of an earlier version as a new version.",
    body: RevertOrder,
    answer: z.object({ posReference: z.string(), version: z.int() }),
    errors: ["CONFLICT", "ORDER_LOCKED", "LEASE_HELD", "HAS_PAYMENTS"],
  }),
  exportOrder: route("GET", "/operator/v1/orders/:posReference/export", "manager", {
    summary: "Downloads an order with its history as one JSON file.",
    answer: OrderExport,
    file: true,
  }),
};
