import { z } from "zod";
import { PosReference } from "../basics/fields.ts";
import { RefundLines, RefundPayment } from "../money/refunds.ts";
import { BackOfficeLine } from "./orders.ts";

/** `B` + 2-digit type + 8 digits, or `E` + 2-digit type + 10 digits. */
export const Ncf = z.string().regex(/^(?:B\d{2}\d{8}|E\d{2}\d{10})$/, "an NCF is B + 10 digits or E + 12 digits");

/** The buyer's tax number: 9 digits (RNC) or 11 (cédula). Dashes are allowed. */
export const BuyerRnc = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ""))
  .pipe(z.string().regex(/^(?:\d{9}|\d{11})$/, "an RNC has 9 digits, a cédula 11"));

/** The order need not exist yet. `rnc` is needed for B01 and E31 unless the order or its customer has one. */
export const ReserveNcfRequest = z.object({
  pos_reference: PosReference,
  type: z.string().min(1),
  rnc: z.string().nullish(),
});
export type ReserveNcfRequest = z.infer<typeof ReserveNcfRequest>;

/** `expiresOn` (`YYYY-MM-DD`) is the last day on which the number may be used. */
export const ReserveNcfAnswer = z.object({ ncf: Ncf, type: z.string(), expiresOn: z.iso.date() });
export type ReserveNcfAnswer = z.infer<typeof ReserveNcfAnswer>;

/**
 * With `pos_reference` alone, credits the unvoided part of an order that has voided items; possible once. The other fields are
 * our extension, announced in bootstrap (`creditNotes`): a note for some lines. An order may have several until it is credited
 * completely. A repeated `refundId` returns the note that was already made.
 */
export const CreditNoteRequest = z.object({
  pos_reference: PosReference,
  lines: RefundLines.optional(),
  refundId: z.string().min(1).max(64).optional(),
  /** The cost of the lines as the caller computed it; the back-office rejects a different total. */
  total: z.number().optional(),
  reason: z.string().max(500).optional(),
  /** How the money is paid back. */
  refund: z.array(RefundPayment).optional(),
  /** The type of the note if not that of the order's series, such as a paper note in contingency. */
  type: z.string().optional(),
  /** The id of the user who may refund, vouched for by the hub's own account after a PIN. */
  onBehalfOf: z.int().optional(),
});
export type CreditNoteRequest = z.infer<typeof CreditNoteRequest>;

/** `ncf` is the number of the note, `modifies` the number of the order. */
export const CreditNoteAnswer = z.object({
  id: z.int(),
  pos_reference: z.string(),
  ncf: Ncf,
  modifies: z.string().optional(),
  lines: z.array(BackOfficeLine),
  total: z.number(),
  /** An electronic note's ElectronicReceipt, parsed separately. */
  fiscal: z.unknown().optional(),
});
export type CreditNoteAnswer = z.infer<typeof CreditNoteAnswer>;

/** POST orders/release-ncf, our extension: releases the number of a reference. It is annulled and never used again. */
export const ReleaseNcfRequest = z.object({ pos_reference: PosReference, reason: z.string().min(1).max(500) });
export type ReleaseNcfRequest = z.infer<typeof ReleaseNcfRequest>;

export const ReleaseNcfAnswer = z.object({ ncf: Ncf, type: z.string(), reason: z.string() });
export type ReleaseNcfAnswer = z.infer<typeof ReleaseNcfAnswer>;
