import { z } from "zod";
import { Money, noteText, plainText } from "../basics/fields.ts";

const charge = Money.min(0);

/** The id of a payment method in the back-office. */
export const MethodId = z.union([z.int().positive(), plainText(64).min(1)]);
export type MethodId = z.infer<typeof MethodId>;

/** An ISO 4217 currency code, such as USD. */
export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/, "three letters, as in ISO 4217");

/** Foreign cash as the guest paid it, and the rate in pesos per unit that the till used. */
export const ForeignCash = z.object({ currency: CurrencyCode, amount: Money.positive(), rate: z.number().positive() });
export type ForeignCash = z.infer<typeof ForeignCash>;

/**
 * A payment on a check, in the order's currency. For cash, `tendered` is what the guest gave: `amount` plus `change`. `tip`
 * comes on top of `amount`. A credit method names the customer.
 */
export const Payment = z.looseObject({
  methodId: MethodId,
  amount: Money,
  tendered: charge.optional(),
  change: charge.optional(),
  tip: charge.optional(),
  reference: noteText(120).optional(),
  customerId: z.union([z.int().positive(), plainText(64).min(1)]).optional(),
  foreign: ForeignCash.optional(),
});
export type Payment = z.infer<typeof Payment>;

/** The requested fiscal number of a check: `type` is one of the back-office's sequences. */
export const FiscalRequest = z.looseObject({
  type: plainText(8).min(1).optional(),
  rnc: plainText(32).nullish(),
  name: plainText(250).nullish(),
});
export type FiscalRequest = z.infer<typeof FiscalRequest>;

/** A payment on a check that is not settled yet, as the hub stores it. */
export const Tender = Payment.extend({
  tenderId: z.string(),
  takenAt: z.string(),
  takenBy: z.string(),
  terminalId: z.string(),
  /** Credit granted while the back-office could not be reached, so without asking it. */
  isUnchecked: z.literal(true).optional(),
  /** The fiscal number that the payer requested for the check. */
  fiscal: FiscalRequest.optional(),
  /** Voided before the check was paid. */
  voided: z.object({ at: z.string(), by: z.string(), reason: z.string() }).optional(),
});
export type Tender = z.infer<typeof Tender>;

/**
 * An amount that is not a line; a discount is negative. `by` is the person who allowed it. `granted`: what a discount takes off
 * once the check costs that much again; `amount` is limited to what it costs now.
 */
export const Adjustment = z.looseObject({
  kind: z.enum(["discount", "tip", "service", "rounding"]),
  amount: Money,
  granted: Money.optional(),
  reason: noteText(500).optional(),
  by: plainText(120).optional(),
});
export type Adjustment = z.infer<typeof Adjustment>;

/** The electronic receipt (e-CF) as the back-office returned it. The hub stores and prints it. */
export const ElectronicReceipt = z.looseObject({
  ncf: z.string(),
  securityCode: z.string().optional(),
  /** ISO 8601, as signed. */
  signedAt: z.string().optional(),
  qrUrl: z.string().optional(),
  status: z.enum(["signed", "accepted", "conditional", "rejected", "pending"]),
  error: z.string().optional(),
});
export type ElectronicReceipt = z.infer<typeof ElectronicReceipt>;

/** The state of a paid check's fiscal number. The number itself is `ncf` of the order. */
export const FiscalState = z.looseObject({
  status: z.enum(["none", "pending", "assigned", "failed"]),
  type: z.string().optional(),
  rnc: z.string().nullish(),
  name: z.string().nullish(),
  expiresOn: z.string().optional(),
  /** Why it failed, in the back-office's own words. */
  error: z.string().optional(),
  errorCode: z.string().optional(),
  ecf: ElectronicReceipt.optional(),
  /** The 8-character code with which the guest can find the receipt later. */
  lookup: z.string().optional(),
  /** A number of a B series, used because the back-office could not sign. */
  contingency: z.literal(true).optional(),
});
export type FiscalState = z.infer<typeof FiscalState>;
