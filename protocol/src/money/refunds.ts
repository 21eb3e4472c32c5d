import { z } from "zod";
import { MAX_QUANTITY, Money, noteText, plainText } from "../basics/fields.ts";
import { ElectronicReceipt, MethodId } from "./payments.ts";

/** Why a credit note cannot be made of a check. */
export const creditNoteErrors = [
  "ORDER_LOCKED",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "NCF_EXHAUSTED",
] as const;

/** How much of a line of a paid check is given back. */
export const RefundLine = z.strictObject({
  lineId: plainText(64).min(1),
  quantity: z.number().positive().max(MAX_QUANTITY),
});
export type RefundLine = z.infer<typeof RefundLine>;

/** What is given back by one payment method. */
export const RefundPayment = z.strictObject({
  methodId: MethodId,
  amount: Money.min(0),
  /** The open shift out of whose drawer it is given; absent: that of the terminal which asks. */
  shiftId: z.guid().optional(),
});
export type RefundPayment = z.infer<typeof RefundPayment>;

/** Lines of one request: each is named once. */
export const RefundLines = z
  .array(RefundLine)
  .min(1)
  .max(5000)
  .refine((lines) => new Set(lines.map(({ lineId }) => lineId)).size === lines.length, {
    error: "a line is named twice",
  });

/** What a person gives back of a paid check. */
export const RefundRequest = z.strictObject({
  /** Made by the screen: the same request again never makes a second credit note. */
  refundId: z.uuid(),
  /** What is given back; all that is left when absent. */
  lines: RefundLines.optional(),
  reason: noteText(500).min(1),
  /** By which methods the money goes back: together what these lines cost. */
  refund: z.array(RefundPayment).min(1).max(20),
});
export type RefundRequest = z.infer<typeof RefundRequest>;

/** A part of a paid check that was given back, with the back-office's credit note for it. */
export const Refund = z.looseObject({
  refundId: z.string(),
  /** `pending`: the back-office was asked, and nobody knows whether it made the note. Asking again answers that. */
  state: z.enum(["pending", "made"]),
  /** When it was asked for, and when the note was made; ISO 8601. */
  at: z.string(),
  madeAt: z.string().optional(),
  by: z.string(),
  approvedBy: z.string().optional(),
  /** Where it was asked for: a terminal, or `hub` for the screens. */
  terminalId: z.string(),
  reason: z.string().nullable(),
  /** What was given back. Empty where a note of an earlier hub does not say. */
  lines: z.array(RefundLine),
  /** A note of the whole check was asked for, as a back-office makes that takes no lines. */
  isWhole: z.literal(true).optional(),
  /** What the guest gets back. */
  amount: Money,
  /** By which methods. Empty where the note alone was asked for: its money is nobody's concern here. */
  refund: z.array(RefundPayment),
  /** The number of the note; null where the back-office has it and did not say which. */
  ncf: z.string().nullable().optional(),
  /** The number that the note modifies. */
  modifies: z.string().optional(),
  /** What the note credits: without the adjustments of the check where the back-office makes whole notes only. */
  total: Money.optional(),
  /** The note's electronic receipt, as the back-office answered it. */
  ecf: z.optional(ElectronicReceipt),
});
export type Refund = z.infer<typeof Refund>;

/** Where the refund stands after the back-office was asked: made, or `pending` where it gave no answer. */
export const RefundAnswer = z.object({ refund: Refund });
