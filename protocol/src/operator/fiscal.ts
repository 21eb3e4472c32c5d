import { z } from "zod";
import { route } from "../http/http-route.ts";
import { NcfSequenceStatus } from "../money/ncf-sequences.ts";
import { FiscalRequest, FiscalState } from "../money/payments.ts";
import { creditNoteErrors, RefundAnswer, RefundRequest } from "../money/refunds.ts";
import { Instant, listedPlace } from "./common.ts";
import { Sentence } from "./sentences.ts";

/** A paid order without the fiscal number that it needs. */
export const FailedNumber = z.object({
  posReference: z.string(),
  ...listedPlace,
  type: z.string(),
  rnc: z.string().nullable(),
  /** The buyer's name. */
  name: z.string().nullable(),
  failedAt: Instant,
  /** The back-office's own message, or one of the hub's sentences. */
  error: Sentence,
  errorCode: z.string().nullable(),
});
export type FailedNumber = z.infer<typeof FailedNumber>;

/**
 * A check whose electronic receipt needs a manager: the back-office has it under another number (`conflict`), the tax office
 * rejects it, or it is still unsigned after 24 hours. `ncf` is the number that the guest received.
 */
export const OpenReceipt = FailedNumber.extend({
  state: z.enum(["conflict", "rejected", "unsigned"]),
  ncf: z.string().nullable(),
});
export type OpenReceipt = z.infer<typeof OpenReceipt>;

/** A paper number of a check or credit note, issued because the back-office could not sign. To be replaced electronically. */
export const ContingencyReceipt = z.object({
  posReference: z.string(),
  ...listedPlace,
  type: z.string(),
  ncf: z.string(),
  at: Instant,
});
export type ContingencyReceipt = z.infer<typeof ContingencyReceipt>;

/**
 * GET /operator/v1/fiscal. `sequences` is null if the back-office reports none; `pending` counts waiting orders. Orders in
 * `failed` are not forwarded until a manager decides: the back-office refused a number, or the order because of its number.
 * `unclear` are pending orders whose last answer was neither a number nor a refusal; the hub asks again. `signing` counts
 * electronic receipts without their security code. `isContingency`: HUB_FISCAL_CONTINGENCY is on.
 */
export const FiscalStatus = z.object({
  sequences: z.array(NcfSequenceStatus).nullable(),
  pending: z.int(),
  failed: z.array(FailedNumber),
  unclear: z.array(FailedNumber),
  signing: z.int().default(0),
  receipts: z.array(OpenReceipt).default([]),
  contingency: z.array(ContingencyReceipt).default([]),
  isContingency: z.boolean().default(false),
});
export type FiscalStatus = z.infer<typeof FiscalStatus>;

/**
 * POST /operator/v1/orders/:ref/fiscal. `retry` requests the number again, with a new `type`, `rnc` or `name` of the buyer if
 * given. `replace` does the same after the back-office has annulled the number that it holds for the order. `skip` sends the
 * order to the back-office without a number. For an order in `receipts`, `retry` requests the receipt again. `dismiss` removes
 * it, or an entry of `contingency`, from the list; with `ncf`, only the receipt or credit note with that number.
 */
export const DecideNumber = z.strictObject({
  action: z.enum(["retry", "replace", "skip", "dismiss"]),
  type: FiscalRequest.shape.type,
  rnc: FiscalRequest.shape.rnc,
  name: FiscalRequest.shape.name,
  ncf: z.string().min(1).max(20).optional(),
});
export type DecideNumber = z.infer<typeof DecideNumber>;

/** The order's state after at most 2 s. Version 0: the order no longer exists, and a credit note of it was settled. */
export const NumberDecided = z.object({
  posReference: z.string(),
  version: z.int(),
  ncf: z.string().optional(),
  fiscal: FiscalState,
});

export const fiscalRoutes = {
  fiscal: route("GET", "/operator/v1/fiscal", "manager", {
    summary: "Returns how many fiscal numbers are left and which orders lack one.",
    answer: FiscalStatus,
  }),
  decideNumber: route("POST", "/operator/v1/orders/:posReference/fiscal", "manager", {
    summary: "Requests an order's fiscal number again, optionally replacing it, or forwards the order without one.",
    body: DecideNumber,
    answer: NumberDecided,
    errors: ["NCF_INVALID", "CONFLICT"],
  }),
  refund: route("POST", "/operator/v1/orders/:posReference/refunds", "manager", {
    needsConfirmation: true,
    summary:
      "Refunds all or some lines of a paid check. The back-office issues the credit note in the user's own session. Repeating a `refundId` issues no second note; `pending` means that the back-office did not answer.",
    body: RefundRequest,
    answer: RefundAnswer,
    errors: ["SHIFT_CLOSED", ...creditNoteErrors],
  }),
};
