import { z } from "zod";
import { PosReference } from "../basics/fields.ts";
import { RefundLines, RefundPayment } from "../money/refunds.ts";
import { BackOfficeLine } from "./orders.ts";

/** `B` + 2 digits of type + 8, or `E` + 2 + 10. */
export const Ncf = z.string().regex(/^(?:B\d{2}\d{8}|E\d{2}\d{10})$/, "an NCF is B + 10 digits or E + 12 digits");

/** The buyer's tax number: 9 digits (RNC) or 11 (cédula); dashes are fine. */
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

/** `expiresOn` is a day (`YYYY-MM-DD`), the last on which the number may be used. */
export const ReserveNcfAnswer = z.object({ ncf: Ncf, type: z.string(), expiresOn: z.iso.date() });
export type ReserveNcfAnswer = z.infer<typeof ReserveNcfAnswer>;

/**
 * `pos_reference` alone credits what is not voided of an order with voided items, once. The rest is our extension, which a
 * back-office tells in bootstrap (`creditNotes`): a note for these lines, of which an order may have several until all of it
 * is credited. The same `refundId` again is answered with the note that was made.
 */
export const CreditNoteRequest = z.object({
  pos_reference: PosReference,
  lines: RefundLines.optional(),
  refundId: z.string().min(1).max(64).optional(),
  /** What the lines cost by the caller's reckoning: another total is refused. */
  total: z.number().optional(),
  reason: z.string().max(500).optional(),
  /** How the money goes back. */
  refund: z.array(RefundPayment).optional(),
  /** The type of the note, where it is to be another one than that of the order's series: one on paper, in contingency. */
  type: z.string().optional(),
  /** The id of the user who may refund: from the hub's own account, which vouches for a PIN. */
  onBehalfOf: z.int().optional(),
});
export type CreditNoteRequest = z.infer<typeof CreditNoteRequest>;

/** `ncf` is the note's own number, `modifies` that of the order. */
export const CreditNoteAnswer = z.object({
  id: z.int(),
  pos_reference: z.string(),
  ncf: Ncf,
  modifies: z.string().optional(),
  lines: z.array(BackOfficeLine),
  total: z.number(),
  /** Of an electronic note: an ElectronicReceipt, read by itself. */
  fiscal: z.unknown().optional(),
});
export type CreditNoteAnswer = z.infer<typeof CreditNoteAnswer>;

/** POST orders/release-ncf, our extension: gives the number of a reference up. It is annulled and never used again. */
export const ReleaseNcfRequest = z.object({ pos_reference: PosReference, reason: z.string().min(1).max(500) });
export type ReleaseNcfRequest = z.infer<typeof ReleaseNcfRequest>;

export const ReleaseNcfAnswer = z.object({ ncf: Ncf, type: z.string(), reason: z.string() });
export type ReleaseNcfAnswer = z.infer<typeof ReleaseNcfAnswer>;
