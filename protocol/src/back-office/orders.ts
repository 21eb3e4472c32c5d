import { z } from "zod";
import { PosReference } from "../basics/fields.ts";
import { RecordRef } from "./record-ref.ts";

/** Only `quantity` is required in a forwarded line, because terminals' lines are an open set of fields. */
export const BackOfficeLine = z.looseObject({
  id: RecordRef.optional(),
  productId: RecordRef.optional(),
  quantity: z.number(),
  unitPrice: z.number().optional(),
  total: z.number().optional(),
  taxIds: z.array(RecordRef).optional(),
  taxAmount: z.number().optional(),
  voided: z.boolean().optional(),
  /** The voided part of `quantity`; `total` covers the rest. */
  voidedQuantity: z.number().optional(),
});
export type BackOfficeLine = z.infer<typeof BackOfficeLine>;

export const BackOfficeTotals = z.looseObject({ subtotal: z.number(), tax: z.number(), total: z.number() });
export type BackOfficeTotals = z.infer<typeof BackOfficeTotals>;

/** `amount` is the part that settled the order. `customerId`: whose credit it is, if not the order customer's. */
export const BackOfficePayment = z.looseObject({
  methodId: RecordRef,
  amount: z.number(),
  tendered: z.number().nullish(),
  change: z.number().nullish(),
  tip: z.number().nullish(),
  customerId: RecordRef.nullish(),
});
export type BackOfficePayment = z.infer<typeof BackOfficePayment>;

/** A line entered by a person. Forwarded lines are already sold, so they are validated less strictly. */
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

/** `existing`: the reference already existed before this call. */
export const OrderCreateAnswer = z.object({ existing: z.boolean(), order: BackOfficeOrder });
