import { z } from "zod";
import { Money, noteText, plainText } from "../basics/fields.ts";

const charge = Money.min(0);

/** The back-office payment method. */
export const MethodId = z.union([z.int().positive(), plainText(64).min(1)]);
export type MethodId = z.infer<typeof MethodId>;

/** The code of a currency, such as USD. */
export const CurrencyCode = z.string().regex(/^[A-Z]{3}$/, "three letters, as in ISO 4217");

/** Cash of another country as it was handed over, and the pesos per unit at which the till valued it. */
export const ForeignCash = z.object({ currency: CurrencyCode, amount: Money.positive(), rate: z.number().positive() });
export type ForeignCash = z.infer<typeof ForeignCash>;

/**
 * What settles a check, in the order's currency. For cash `tendered` is what was handed over: `amount` and `change`. `tip`
 * is on top of `amount`. A method on credit names the customer.
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

/** The fiscal number that a check is to get: `type` is one of the back-office's sequences. */
export const FiscalRequest = z.looseObject({
  type: plainText(8).min(1).optional(),
  rnc: plainText(32).nullish(),
  name: plainText(250).nullish(),
});
export type FiscalRequest = z.infer<typeof FiscalRequest>;

/** A payment on a check that is not settled yet, as the hub keeps it. */
export const Tender = Payment.extend({
  tenderId: z.string(),
  takenAt: z.string(),
  takenBy: z.string(),
  terminalId: z.string(),
  /** Credit that was given without asking the back-office, which could not be reached. */
  isUnchecked: z.literal(true).optional(),
  /** What its taker asked for as the number of the check. */
  fiscal: FiscalRequest.optional(),
  /** It was taken back before the check was paid. */
  voided: z.object({ at: z.string(), by: z.string(), reason: z.string() }).optional(),
});
export type Tender = z.infer<typeof Tender>;

/** An amount that is no line: a discount is negative. `by` allowed it. */
export const Adjustment = z.looseObject({
  kind: z.enum(["discount", "tip", "service", "rounding"]),
  amount: Money,
  reason: noteText(500).optional(),
  by: plainText(120).optional(),
});
export type Adjustment = z.infer<typeof Adjustment>;

/** The electronic receipt (e-CF) as the back-office answered it: the hub carries and prints it. */
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

/** Where the fiscal number of a paid check stands; the number itself is `ncf` of the order. */
export const FiscalState = z.looseObject({
  status: z.enum(["none", "pending", "assigned", "failed"]),
  type: z.string().optional(),
  rnc: z.string().nullish(),
  name: z.string().nullish(),
  expiresOn: z.string().optional(),
  /** Why it failed, in the back-office's words. */
  error: z.string().optional(),
  errorCode: z.string().optional(),
  ecf: ElectronicReceipt.optional(),
  /** Under which the guest can find the receipt later: 8 signs. */
  lookup: z.string().optional(),
  /** A B number, because the back-office could not sign. */
  contingency: z.literal(true).optional(),
});
export type FiscalState = z.infer<typeof FiscalState>;
