import { z } from "zod";
import { MAX_QUANTITY, Money, noteText, plainText } from "../basics/fields.ts";
import { ElectronicReceipt, MethodId } from "./payments.ts";

/** Why no credit note can be issued for a check. */
export const creditNoteErrors = [
  "ORDER_LOCKED",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "NCF_EXHAUSTED",
] as const;

/** The refunded quantity of a line of a paid check. */
export const RefundLine = z.strictObject({
  lineId: plainText(64).min(1),
  quantity: z.number().positive().max(MAX_QUANTITY),
});
export type RefundLine = z.infer<typeof RefundLine>;

/** The amount refunded by one payment method. */
export const RefundPayment = z.strictObject({
  methodId: MethodId,
  amount: Money.min(0),
  /** The open shift whose drawer pays the refund; absent: the shift of the requesting terminal. */
  shiftId: z.guid().optional(),
});
export type RefundPayment = z.infer<typeof RefundPayment>;

/** The lines of one request, each at most once. */
export const RefundLines = z
  .array(RefundLine)
  .min(1)
  .max(5000)
  .refine((lines) => new Set(lines.map(({ lineId }) => lineId)).size === lines.length, {
    error: "a line is listed twice",
  });

/** A refund of a paid check as a person requests it. */
export const RefundRequest = z.strictObject({
  /** Idempotency key made by the screen: a retry with the same id never issues a second credit note. */
  refundId: z.uuid(),
  /** The refunded lines; if absent, everything not refunded yet. */
  lines: RefundLines.optional(),
  reason: noteText(500).min(1),
  /** The methods that pay the refund. Together they must equal the cost of these lines. */
  refund: z.array(RefundPayment).min(1).max(20),
});
export type RefundRequest = z.infer<typeof RefundRequest>;

/** A refunded part of a paid check, with its credit note from the back-office. */
export const Refund = z.looseObject({
  refundId: z.string(),
  /** `pending`: the back-office was asked, but its answer is unknown. A retry finds out whether it issued the note. */
  state: z.enum(["pending", "made"]),
  /** When it was requested, and when the note was issued; ISO 8601. */
  at: z.string(),
  madeAt: z.string().optional(),
  by: z.string(),
  approvedBy: z.string().optional(),
  /** Where it was requested: a terminal, or `hub` for the screens. */
  terminalId: z.string(),
  reason: z.string().nullable(),
  /** The refunded lines; empty for a note of an earlier hub that does not list them. */
  lines: z.array(RefundLine),
  /** The note credits the whole check, because this back-office takes no lines. */
  isWhole: z.literal(true).optional(),
  /** The amount that the guest gets back. */
  amount: Money,
  /** By which methods; empty if only the note was requested and the hub does not track its money. */
  refund: z.array(RefundPayment),
  /** The number of the note; null if the back-office issued it without returning its number. */
  ncf: z.string().nullable().optional(),
  /** The fiscal number that the note modifies. */
  modifies: z.string().optional(),
  /** The amount that the note credits; without the check's adjustments if the back-office issues only whole notes. */
  total: Money.optional(),
  /** The note's electronic receipt, as the back-office returned it. */
  ecf: z.optional(ElectronicReceipt),
});
export type Refund = z.infer<typeof Refund>;

/** The refund after the back-office was asked: `made`, or `pending` if it did not answer. */
export const RefundAnswer = z.object({ refund: Refund });
