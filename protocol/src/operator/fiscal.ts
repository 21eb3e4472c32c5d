import { z } from "zod";
import { route } from "../http/http-route.ts";
import { NcfSequenceStatus } from "../money/ncf-sequences.ts";
import { FiscalRequest, FiscalState } from "../money/payments.ts";
import { creditNoteErrors, RefundAnswer, RefundRequest } from "../money/refunds.ts";
import { Instant, listedPlace } from "./common.ts";
import { Said } from "./sentences.ts";

/** A paid order that lacks the number it needs. */
export const FailedNumber = z.object({
  posReference: z.string(),
  ...listedPlace,
  type: z.string(),
  rnc: z.string().nullable(),
  /** The buyer's. */
  name: z.string().nullable(),
  failedAt: Instant,
  /** The back-office's own words and code, or one of the hub's sentences. */
  error: Said,
  errorCode: z.string().nullable(),
});
export type FailedNumber = z.infer<typeof FailedNumber>;

/**
 * A check whose electronic receipt a manager has to look at: the back-office has it under another number (`conflict`), the tax
 * office rejects it, or nobody has signed it for 24 hours. `ncf` is the number that the guest was given.
 */
export const OpenReceipt = FailedNumber.extend({
  state: z.enum(["conflict", "rejected", "unsigned"]),
  ncf: z.string().nullable(),
});
export type OpenReceipt = z.infer<typeof OpenReceipt>;

/** A number on paper, of a check or a credit note, that an electronic one has to replace: the back-office could not sign. */
export const ContingencyReceipt = z.object({
  posReference: z.string(),
  ...listedPlace,
  type: z.string(),
  ncf: z.string(),
  at: Instant,
});
export type ContingencyReceipt = z.infer<typeof ContingencyReceipt>;

/**
 * GET /operator/v1/fiscal. `sequences` is null where the back-office tells none; `pending` counts orders that wait. `failed`
 * are those that are not forwarded before a manager has decided: the back-office refused a number, or the order for its
 * number. `unclear` are those among `pending` whose last answer was neither a number nor a refusal: the hub asks again.
 * `signing` counts electronic receipts whose security code is still to come; `isContingency`: HUB_FISCAL_CONTINGENCY is on.
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
 * POST /operator/v1/orders/:ref/fiscal. `retry` asks for the number again, with another `type`, `rnc` or `name` of the buyer
 * where one is given; `replace` does so after the back-office has annulled the number that it holds for the order; `skip`
 * sends the order to the back-office without a number. Of an order in `receipts`, `retry` asks for the receipt again;
 * `dismiss` takes it, or one of `contingency`, off the list; where `ncf` is given only the receipt, or the credit note, of
 * that number.
 */
export const DecideNumber = z.strictObject({
  action: z.enum(["retry", "replace", "skip", "dismiss"]),
  type: FiscalRequest.shape.type,
  rnc: FiscalRequest.shape.rnc,
  name: FiscalRequest.shape.name,
  ncf: z.string().min(1).max(20).optional(),
});
export type DecideNumber = z.infer<typeof DecideNumber>;

/** Where the order stands after at most 2 s; version 0: it is no longer here, and a credit note of it was settled. */
export const NumberDecided = z.object({
  posReference: z.string(),
  version: z.int(),
  ncf: z.string().optional(),
  fiscal: FiscalState,
});

export const fiscalRoutes = {
  fiscal: route("GET", "/operator/v1/fiscal", "manager", {
    summary: "Returns how many fiscal numbers are left and which orders lack theirs.",
    answer: FiscalStatus,
  }),
  decideNumber: route("POST", "/operator/v1/orders/:posReference/fiscal", "manager", {
    summary: "Asks again for an order's fiscal number, if wanted another one, or forwards the order without one.",
    body: DecideNumber,
    answer: NumberDecided,
    errors: ["NCF_INVALID", "CONFLICT"],
  }),
  refund: route("POST", "/operator/v1/orders/:posReference/refunds", "manager", {
    needsConfirmation: true,
    summary:
      "Gives back all or some lines of a paid check: the back-office makes the credit note with the user's own session. The same `refundId` again makes no second one; `pending` where the back-office did not answer.",
    body: RefundRequest,
    answer: RefundAnswer,
    errors: ["SHIFT_CLOSED", ...creditNoteErrors],
  }),
};
