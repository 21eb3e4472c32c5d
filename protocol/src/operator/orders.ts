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
import { Said } from "./sentences.ts";

/** `removed` are discarded checks; `attention` those whose forwarding, payment or fiscal number waits for a person. */
export const OrderFilter = z.enum(["active", "paid", "removed", "attention", "all"]);

/** `search` looks in reference, ticket and check number, customer, staff, table name, fiscal number and the code of its receipt. */
export const OrderQuery = z.strictObject({
  status: OrderFilter.default("active"),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  tableId: z.coerce.number().int().positive().optional(),
  orderType: OrderType.optional(),
  ...paging,
});

/** An order as a line of the list. */
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
  /** A payment that could not be applied waits for a manager. */
  unappliedPayment: z.boolean(),
  /** It is paid and its fiscal number is missing: it has not come yet, or was refused. */
  missingNumber: FiscalState.shape.status.extract(["pending", "failed"]).optional(),
  lease: LeaseHolder.nullable(),
});
export type OrderRow = z.infer<typeof OrderRow>;

/** Newest activity first; `total` counts the whole filter, among all orders that ever were up to 1,000 of a search. */
export const OrderPage = z.object({ orders: z.array(OrderRow), nextCursor, ...countedTotal });
export type OrderPage = z.infer<typeof OrderPage>;

export const OrderDetail = z.object({
  order: StoredOrder,
  removed: z.boolean(),
  /** The checks that its lines went to, of one that was merged. */
  mergedInto: z.array(z.string()).optional(),
  /** Why accounting does not have it and a manager has to decide: the last answer, or the words of whoever set it aside. */
  attention: z.object({ error: Said, errorCode: z.string().nullable() }).optional(),
  lease: LeaseHolder.nullable(),
  payments: z.array(UnappliedPayment),
  creditNotes: z.array(CreditNoteMade).default([]),
  /** How the rest of it can be given back; absent while it is not paid. */
  refunding: z
    .object({
      /** The back-office makes notes for some of its lines; else one for the whole check. */
      takesLines: z.boolean(),
      paymentMethods: z.array(PaymentMethod),
    })
    .optional(),
});
export type OrderDetail = z.infer<typeof OrderDetail>;

/** POST /operator/v1/orders/:ref/revert: back to the content of `version`, as a new version. CONFLICT when the order has moved on. */
export const RevertOrder = z.strictObject({ version: z.int().positive(), baseVersion: z.int().positive() });

/** GET /operator/v1/orders/:ref/export: one file with all that the hub knows of the order. */
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
    summary: "Writes an earlier version's content as a new version.",
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
