import { z } from "zod";
import { route } from "../http/http-route.ts";
import { BackOfficeTable, BackOfficeTax, FloorLayoutMode, Rounding } from "../back-office.ts";
import { OrderStatus } from "../orders/orders.ts";
import { TableLock, TableState, TableStatus } from "../floor/tables.ts";
import { LeaseHolder } from "../terminal.ts";
import { Instant } from "./common.ts";

/** A check on a table, as the floor plan shows it to managers. */
export const TableCheck = z.object({
  posReference: z.string(),
  checkNumber: z.number().nullable(),
  status: OrderStatus,
  total: z.number(),
  guestCount: z.number(),
  staffName: z.string().nullable(),
  createdAt: Instant,
  /** When the party sat down; earlier than `createdAt` if the check was split off. */
  seatedAt: Instant,
  lease: LeaseHolder.nullable(),
});
export type TableCheck = z.infer<typeof TableCheck>;

/** A table with its place on the floor and its live state. `detail` is only for managers. */
export const PlanTable = z.object({
  tableId: z.int(),
  floorId: z.int(),
  ...BackOfficeTable.omit({ id: true, state: true }).shape,
  status: TableStatus,
  /** Number of active checks. */
  checks: z.int(),
  /** The furthest state of its active checks; null if it has none. */
  checkStatus: OrderStatus.nullable(),
  /** When its oldest active check was opened. */
  since: Instant.nullable(),
  /** A terminal is working on it: it has a lease or an advisory lock. */
  busy: z.boolean(),
  detail: z.object({ checks: z.array(TableCheck), lock: TableLock.nullable() }).optional(),
});
export type PlanTable = z.infer<typeof PlanTable>;

export const LiveFloorPlan = z.object({
  /** The last read from the back-office failed and this is the last good copy. */
  stale: z.boolean(),
  fetchedAt: Instant.nullable(),
  floors: z.array(z.object({ id: z.int(), name: z.string(), layoutMode: FloorLayoutMode, tables: z.array(PlanTable) })),
  /** Tables with an active check that are not in the plan. */
  unknownTables: z.array(z.int()),
});
export type LiveFloorPlan = z.infer<typeof LiveFloorPlan>;

/** GET /operator/v1/tables: every table that the hub has seen. */
export const TableList = z.object({ tables: z.array(TableState) });

/** GET /operator/v1/catalogue: names by id, from the last successful read of the back-office. */
export const Catalogue = z.object({
  currency: z.string(),
  products: z.record(z.string(), z.string()),
  categories: z.record(z.string(), z.string()).default({}),
  paymentMethods: z.record(z.string(), z.string()),
  tables: z.record(z.string(), z.string()),
  /** The names of a check's taxes, and how they are computed. */
  taxes: z.array(BackOfficeTax),
  rounding: Rounding.optional(),
});
export type Catalogue = z.infer<typeof Catalogue>;

export const floorRoutes = {
  floorPlan: route("GET", "/operator/v1/floor-plan", "public", {
    summary: "Returns the floors with every table's place and live state.",
    answer: LiveFloorPlan,
  }),
  tables: route("GET", "/operator/v1/tables", "manager", {
    summary: "Lists the live states of the tables that the hub has seen.",
    answer: TableList,
  }),
  catalogue: route("GET", "/operator/v1/catalogue", "manager", {
    summary: "Returns the names of products, payment methods and tables.",
    answer: Catalogue,
  }),
};
