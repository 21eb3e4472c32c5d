/**
 * The back-office as seen by its callers: the JSON-RPC session endpoints under `/web` and the POS API under
 * `/pos-api/v1`. Answers are tolerant objects (new fields are fine), and so are requests, because other clients
 * than ours send them. Money is a JSON number in the currency's unit; compare it in cents, never as a float.
 */
import { z } from "zod";
import { PosReference, Role } from "./fields.ts";

// ---------------------------------------------------------------------------------------------- who is signed in

/** What a user may do in the restaurant; a cashier may also discard and take payment, a manager everything. */
export const PosRole = Role;
export type PosRole = Role;

/** Role and permissions of the session's user; `refund` is the only permission that exists so far. */
export const PosIdentity = z.object({ role: PosRole, permissions: z.array(z.string()).default([]) });
export type PosIdentity = z.infer<typeof PosIdentity>;

/**
 * `result` of authenticate and get_session_info. `uid` null or false means nobody is signed in (a second factor is
 * asked). `pos` is absent on a plain Odoo: the role is then asked for with `has_group`.
 */
export const SessionInfo = z.object({
  uid: z.union([z.int(), z.literal(false)]).nullable(),
  db: z.union([z.string(), z.literal(false)]).nullish(),
  name: z.union([z.string(), z.literal(false)]).nullish(),
  username: z.union([z.string(), z.literal(false)]).nullish(),
  server_version: z.string().optional(),
  server_version_info: z.array(z.union([z.number(), z.string()])).optional(),
  pos: PosIdentity.optional(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

export const AuthenticateParams = z.object({ db: z.string(), login: z.string(), password: z.string() });
export type AuthenticateParams = z.infer<typeof AuthenticateParams>;

/** External ids to ask `has_group` for, where the session info has no `pos`. */
export const posManagerGroup = "point_of_sale.group_pos_manager";
export const posUserGroup = "point_of_sale.group_pos_user";
export const refundGroup = "l10n_do_accounting.group_l10n_do_fiscal_credit_note";

/** A JSON-RPC call as Odoo reads it: `method` is ignored, `params` must be an object. */
export const JsonRpcCall = z.object({
  jsonrpc: z.string().optional(),
  id: z.union([z.string(), z.number()]).nullish(),
  params: z.record(z.string(), z.unknown()),
});
export type JsonRpcCall = z.infer<typeof JsonRpcCall>;

/**
 * A JSON-RPC failure. Branch on `data.name`: `code` is 0 or 200 by version. A dead session is `code` 100, or 404 on a
 * server with several databases. Where a POS API answer is wrapped, `data` also carries its `errorCode` and `status`.
 */
export const JsonRpcError = z.object({
  code: z.number(),
  message: z.string(),
  data: z
    .object({
      name: z.string().optional(),
      message: z.string().optional(),
      errorCode: z.string().optional(),
      status: z.int().optional(),
    })
    .optional(),
});
export type JsonRpcError = z.infer<typeof JsonRpcError>;

/** A JSON-RPC answer; HTTP 200 proves nothing. A null result leaves the key `result` out. */
export const JsonRpcAnswer = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullish(),
  result: z.unknown().optional(),
  error: JsonRpcError.optional(),
});
export type JsonRpcAnswer = z.infer<typeof JsonRpcAnswer>;

/** Every failure of `/pos-api/v1`; CLIENT_TOO_OLD also has `minClientVersion`, NCF_ALREADY_RESERVED `ncf` and `type`. */
export const BackOfficeFailure = z.looseObject({ error: z.string(), errorCode: z.string() });
export type BackOfficeFailure = z.infer<typeof BackOfficeFailure>;

/** The refusals that `/pos-api/v1` answers with. */
export const BackOfficeErrorCode = z.enum([
  "VALIDATION_ERROR",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "PAYLOAD_TOO_LARGE",
  "CLIENT_TOO_OLD",
  "NO_ACTIVE_SESSION",
  "TABLE_IN_USE",
  "NCF_ALREADY_RESERVED",
  "NCF_EXHAUSTED",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "INTERNAL_ERROR",
]);
export type BackOfficeErrorCode = z.infer<typeof BackOfficeErrorCode>;

// -------------------------------------------------------------------------------------------------- bootstrap

export const FloorLayoutMode = z.enum(["free", "grid", "perimeter_center"]);
export type FloorLayoutMode = z.infer<typeof FloorLayoutMode>;

/** A table of the back-office; `id` is the record id (the `tableId` of orders), not the printed number. */
export const BackOfficeTable = z.object({
  id: z.int(),
  name: z.string(),
  seats: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  shape: z.string(),
  state: z.string(),
});
export type BackOfficeTable = z.infer<typeof BackOfficeTable>;

export const BackOfficeFloor = z.object({
  id: z.int(),
  name: z.string(),
  layoutMode: FloorLayoutMode,
  tables: z.array(BackOfficeTable),
});
export type BackOfficeFloor = z.infer<typeof BackOfficeFloor>;

/** `rate` in percent of the net price; `orderTypes` are those it is charged on (the legal tip: `dine_in` only). */
export const BackOfficeTax = z.object({
  id: z.int(),
  name: z.string(),
  rate: z.number(),
  included: z.boolean(),
  orderTypes: z.array(z.string()),
});
export type BackOfficeTax = z.infer<typeof BackOfficeTax>;

export const BackOfficeCategory = z.object({ id: z.int(), name: z.string() });
export type BackOfficeCategory = z.infer<typeof BackOfficeCategory>;

export const BackOfficeProduct = z.object({
  id: z.int(),
  name: z.string(),
  price: z.number(),
  categoryId: z.int(),
  taxIds: z.array(z.int()),
});
export type BackOfficeProduct = z.infer<typeof BackOfficeProduct>;

/** `pay_later` is the customer's credit. */
export const PaymentMethodType = z.enum(["cash", "bank", "pay_later"]);
export type PaymentMethodType = z.infer<typeof PaymentMethodType>;

export const PaymentMethod = z.object({ id: z.int(), name: z.string(), type: PaymentMethodType });
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const PosConfig = z.object({
  id: z.int(),
  name: z.string(),
  currency: z.string(),
  hubMode: z.boolean(),
  hubAddress: z.string(),
  floors: z.array(BackOfficeFloor),
  taxes: z.array(BackOfficeTax),
  products: z.array(BackOfficeProduct),
  categories: z.array(BackOfficeCategory),
  paymentMethods: z.array(PaymentMethod),
});
export type PosConfig = z.infer<typeof PosConfig>;

export const BackOfficeSession = z.object({ id: z.int(), name: z.string(), state: z.string() });
export type BackOfficeSession = z.infer<typeof BackOfficeSession>;

export const BootstrapRequest = z.object({ clientVersion: z.string().nullish() });
export type BootstrapRequest = z.infer<typeof BootstrapRequest>;

/** `session` is null while the POS session is closed. */
export const BootstrapAnswer = z.object({
  config: PosConfig,
  session: BackOfficeSession.nullable(),
  minClientVersion: z.string().nullable(),
});
export type BootstrapAnswer = z.infer<typeof BootstrapAnswer>;

// ----------------------------------------------------------------------------------------------------- orders

/** Ids of records are integers in the back-office and strings in orders; both are taken. */
const RecordRef = z.union([z.string().min(1), z.int()]);

/** What the hub forwards may lack all but the quantity: its snapshots are an open set. */
export const BackOfficeLine = z.looseObject({
  id: RecordRef.optional(),
  productId: RecordRef.optional(),
  quantity: z.number(),
  unitPrice: z.number().optional(),
  total: z.number().optional(),
  taxIds: z.array(RecordRef).optional(),
  taxAmount: z.number().optional(),
  voided: z.boolean().optional(),
});
export type BackOfficeLine = z.infer<typeof BackOfficeLine>;

export const BackOfficeTotals = z.looseObject({ subtotal: z.number(), tax: z.number(), total: z.number() });
export type BackOfficeTotals = z.infer<typeof BackOfficeTotals>;

export const BackOfficePayment = z.looseObject({ methodId: RecordRef, amount: z.number() });
export type BackOfficePayment = z.infer<typeof BackOfficePayment>;

/** A line typed in by a person; what the hub forwards is a fact and judged less strictly. */
const SubmittedLine = BackOfficeLine.extend({
  productId: RecordRef,
  quantity: z.number().positive(),
  unitPrice: z.number().nonnegative(),
  total: z.number().nonnegative(),
  taxAmount: z.number().nonnegative().optional(),
});

/** Body of orders/create, keyed by `pos_reference`. `customerId` and `rnc` (the buyer's tax number) are optional. */
export const SubmittedOrder = z.looseObject({
  pos_reference: PosReference,
  status: z.enum(["draft", "paid"]).default("draft"),
  tableId: z.int().positive().nullish(),
  customerId: RecordRef.nullish(),
  customerName: z.string().nullish(),
  rnc: z.string().nullish(),
  notes: z.string().nullish(),
  lines: z.array(SubmittedLine),
  totals: BackOfficeTotals,
  payments: z.array(BackOfficePayment).optional(),
});
export type SubmittedOrder = z.infer<typeof SubmittedOrder>;

/** An order as the back-office shows it. */
export const BackOfficeOrder = z.object({
  id: z.int(),
  pos_reference: z.string(),
  status: z.enum(["draft", "paid"]),
  tableId: z.int().nullable(),
  ncf: z.string().nullable(),
  lines: z.array(BackOfficeLine),
  totals: BackOfficeTotals,
});
export type BackOfficeOrder = z.infer<typeof BackOfficeOrder>;

/** `existing` tells that the reference was known before this call. */
export const OrderCreateAnswer = z.object({ existing: z.boolean(), order: BackOfficeOrder });
export type OrderCreateAnswer = z.infer<typeof OrderCreateAnswer>;

// -------------------------------------------------------------------------------------------- fiscal receipt numbers

/** The document types of the Dominican Republic that a point of sale issues: B-series on paper, E-series electronic. */
export const NcfType = z.enum(["B01", "B02", "B04", "E31", "E32", "E34"]);
export type NcfType = z.infer<typeof NcfType>;

/** `B` + 2 digits of type + 8, or `E` + 2 + 10. */
export const Ncf = z.string().regex(/^(?:B\d{2}\d{8}|E\d{2}\d{10})$/, "an NCF is B + 10 digits or E + 12 digits");
export type Ncf = z.infer<typeof Ncf>;

/** The buyer's tax number: 9 digits (RNC) or 11 (cédula); dashes are fine. */
export const BuyerRnc = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^(?:\d{9}|\d{11})$/, "an RNC has 9 digits, a cédula 11"));
export type BuyerRnc = z.infer<typeof BuyerRnc>;

/** `rnc` is needed for B01 and E31 unless the order or its customer has one. */
export const ReserveNcfRequest = z.object({
  pos_reference: PosReference,
  type: z.string().min(1),
  rnc: z.string().nullish(),
});
export type ReserveNcfRequest = z.infer<typeof ReserveNcfRequest>;

/** `expiresOn` is a day (`YYYY-MM-DD`), the last on which the number may be used. */
export const ReserveNcfAnswer = z.object({ ncf: Ncf, type: z.string(), expiresOn: z.iso.date() });
export type ReserveNcfAnswer = z.infer<typeof ReserveNcfAnswer>;

export const CreditNoteRequest = z.object({ pos_reference: PosReference });
export type CreditNoteRequest = z.infer<typeof CreditNoteRequest>;

/** `ncf` is the note's own number, `modifies` that of the order. */
export const CreditNoteAnswer = z.object({
  id: z.int(),
  pos_reference: z.string(),
  ncf: Ncf,
  modifies: z.string().optional(),
  lines: z.array(BackOfficeLine),
  total: z.number(),
});
export type CreditNoteAnswer = z.infer<typeof CreditNoteAnswer>;

// ---------------------------------------------------------------------------------------------- payments, credit

export const PaymentMethodsAnswer = z.object({ paymentMethods: z.array(PaymentMethod) });
export type PaymentMethodsAnswer = z.infer<typeof PaymentMethodsAnswer>;

export const CreditCheckRequest = z.object({ customerId: RecordRef, amount: z.number().nonnegative() });
export type CreditCheckRequest = z.infer<typeof CreditCheckRequest>;

export const CreditCheckAnswer = z.object({ eligible: z.boolean(), available: z.number() });
export type CreditCheckAnswer = z.infer<typeof CreditCheckAnswer>;

// --------------------------------------------------------------------------------------------------- floor plan

const tableFields = {
  name: z.string().min(1).max(64),
  seats: z.int().positive().max(1000),
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  shape: z.string().min(1).max(32),
};

export const TableToCreate = z.object({
  ...tableFields,
  x: tableFields.x.default(0),
  y: tableFields.y.default(0),
  width: tableFields.width.default(100),
  height: tableFields.height.default(100),
  shape: tableFields.shape.default("square"),
});
export type TableToCreate = z.infer<typeof TableToCreate>;

export const TableToUpdate = z.object({ id: z.int(), ...z.object(tableFields).partial().shape });
export type TableToUpdate = z.infer<typeof TableToUpdate>;

export const FloorPlanSaveRequest = z.object({
  floorId: z.int(),
  layout_mode: FloorLayoutMode.optional(),
  create: z.array(TableToCreate).default([]),
  update: z.array(TableToUpdate).default([]),
  delete: z.array(z.int()).default([]),
});
export type FloorPlanSaveRequest = z.infer<typeof FloorPlanSaveRequest>;

export const FloorPlanSaveAnswer = z.object({ floor: BackOfficeFloor });
export type FloorPlanSaveAnswer = z.infer<typeof FloorPlanSaveAnswer>;

// ----------------------------------------------------------------------------------------------- orders of the hub

/** The most events in one batch-sync. */
export const maxBatchEvents = 200;

/** Given back exactly as it came. */
export const HubEventId = z.union([z.string(), z.int()]);
export type HubEventId = z.infer<typeof HubEventId>;

/** What the hub forwards as `order`: its stored order without `pluginData`, the snapshot paid. */
export const ForwardedOrder = z.looseObject({
  posReference: PosReference,
  version: z.int().positive().optional(),
  tableId: z.int().nullish(),
  terminalId: z.string().nullish(),
  createdAt: z.string().nullish(),
  updatedAt: z.string().nullish(),
  snapshot: z.looseObject({
    status: z.enum(["paid", "closed"]),
    orderType: z.string().nullish(),
    customerId: RecordRef.nullish(),
    customerName: z.string().nullish(),
    notes: z.string().nullish(),
    lines: z.array(BackOfficeLine),
    totals: BackOfficeTotals,
    payments: z.array(BackOfficePayment).default([]),
  }),
});
export type ForwardedOrder = z.infer<typeof ForwardedOrder>;

/** One event; all but its id is judged event by event, so that one bad event does not spoil the batch. */
export const ForwardedEvent = z.looseObject({ eventId: HubEventId });
export type ForwardedEvent = z.infer<typeof ForwardedEvent>;

/** `events` are `{eventId, type: "hub_finalize", posReference, createdAt, order: ForwardedOrder}`. */
export const BatchSyncRequest = z.object({
  hubId: z.string().optional(),
  events: z.array(ForwardedEvent).max(maxBatchEvents),
});
export type BatchSyncRequest = z.infer<typeof BatchSyncRequest>;

/** `duplicate`: the reference was finalized before; `failed` carries error and errorCode. Also the answer of hub/finalize, whose refusal is 422. */
export const BatchSyncResult = z.object({
  eventId: HubEventId,
  status: z.enum(["finalized", "duplicate", "failed"]),
  orderId: z.int().optional(),
  error: z.string().optional(),
  errorCode: z.string().optional(),
});
export type BatchSyncResult = z.infer<typeof BatchSyncResult>;

/** One result per event, in the order of the events. */
export const BatchSyncAnswer = z.object({ results: z.array(BatchSyncResult) });
export type BatchSyncAnswer = z.infer<typeof BatchSyncAnswer>;

export const FinalizeRequest = z.looseObject({ eventId: HubEventId, posReference: PosReference, order: z.unknown() });
export type FinalizeRequest = z.infer<typeof FinalizeRequest>;

/** The most references in one hub/lookup. */
export const maxLookupReferences = 200;

export const LookupRequest = z.object({ posReferences: z.array(z.string()).max(maxLookupReferences) });
export type LookupRequest = z.infer<typeof LookupRequest>;

/**
 * What the back-office has under a reference. `eventId` is the one under which the hub's order was finalized, as it came;
 * null while it is a draft, and when it was paid in the back-office itself. `total` is money, `paidAt` an ISO 8601 time.
 */
export const LookupOrder = z.object({
  posReference: z.string(),
  status: z.enum(["draft", "paid"]),
  orderId: z.int(),
  eventId: HubEventId.nullable(),
  total: z.number(),
  ncf: z.string().nullable(),
  paidAt: z.string().nullable(),
});
export type LookupOrder = z.infer<typeof LookupOrder>;

/** Only the orders that the back-office has, each once. hub/lookup is ours: a back-office may lack it. */
export const LookupAnswer = z.object({ orders: z.array(LookupOrder) });
export type LookupAnswer = z.infer<typeof LookupAnswer>;

// ------------------------------------------------------------------------------------------------------- updates

/** 200 of `updates/check/{target}/{arch}/{version}`; 204 means no newer version. Android has no signature. */
export const UpdateCheckAnswer = z.object({
  version: z.string(),
  notes: z.string(),
  pub_date: z.string(),
  url: z.string(),
  signature: z.string().optional(),
});
export type UpdateCheckAnswer = z.infer<typeof UpdateCheckAnswer>;
