import { z } from "zod";
import { CurrencyCode } from "../money/payments.ts";
import { BackOfficeFloor } from "./floor-plan.ts";
import { PaymentMethod } from "./payments.ts";

/** `rate` in percent of the net price. `orderTypes` are those it applies to (the legal tip: only `dine_in`). */
export const BackOfficeTax = z.looseObject({
  id: z.int(),
  name: z.string(),
  rate: z.number(),
  included: z.boolean(),
  orderTypes: z.array(z.string()),
});
export type BackOfficeTax = z.infer<typeof BackOfficeTax>;

export const BackOfficeCategory = z.looseObject({ id: z.int(), name: z.string() });
export type BackOfficeCategory = z.infer<typeof BackOfficeCategory>;

/** An extra of a product. `price` is added to the unit price and taxed in the same way. */
export const BackOfficeModifier = z.looseObject({ id: z.int(), name: z.string(), price: z.number() });
export type BackOfficeModifier = z.infer<typeof BackOfficeModifier>;

/** A choice among a product's modifiers: at least `min` (0 if absent) and at most `max` (unlimited if absent). */
export const BackOfficeModifierGroup = z.looseObject({
  name: z.string(),
  min: z.int().nonnegative().optional(),
  max: z.int().positive().optional(),
  modifierIds: z.array(z.int()),
});

export const BackOfficeProduct = z.looseObject({
  id: z.int(),
  name: z.string(),
  price: z.number(),
  categoryId: z.int(),
  taxIds: z.array(z.int()),
  modifiers: z.array(BackOfficeModifier).optional().catch(undefined),
  /** Modifiers that are in no group can be chosen freely. */
  modifierGroups: z.array(BackOfficeModifierGroup).optional().catch(undefined),
});
export type BackOfficeProduct = z.infer<typeof BackOfficeProduct>;

/** Whether each line is rounded, or only the order's sum. Halves are rounded away from zero. */
export const Rounding = z.enum(["line", "order"]);
export type Rounding = z.infer<typeof Rounding>;

/** A granted range of fiscal numbers: how many are left, and the last day on which they may be used. */
export const NcfSequence = z.looseObject({
  type: z.string(),
  prefix: z.string().optional(),
  left: z.int().nonnegative(),
  expiresOn: z.iso.date().nullish(),
});
export type NcfSequence = z.infer<typeof NcfSequence>;

/**
 * What this back-office supports beyond whole credit notes in a person's own session: notes for some `lines` of an order, and
 * requests by the hub's own account for a user (`onBehalfOf`).
 */
export const CreditNoteAbilities = z.looseObject({
  lines: z.boolean().default(false),
  onBehalfOf: z.boolean().default(false),
});

/** The seller as printed on receipts; `address` and `phone` are the branch's. */
export const Company = z.looseObject({
  name: z.string().min(1),
  legalName: z.string().optional(),
  rnc: z.string().optional(),
  address: z.string().optional(),
  phone: z.string().optional(),
});
export type Company = z.infer<typeof Company>;

/** A foreign currency accepted in cash: `rate` in pesos per unit; its value is rounded to a multiple of `rounding` pesos. */
export const ForeignCurrency = z.looseObject({
  code: CurrencyCode,
  rate: z.number().positive(),
  rounding: z.number().nonnegative().default(0),
});
export type ForeignCurrency = z.infer<typeof ForeignCurrency>;

/** The point of sale. Unknown fields are kept, because terminals may know them. */
export const PosConfig = z.looseObject({
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
  /** Absent if the back-office does not report it; then it is per line. */
  rounding: Rounding.optional().catch(undefined),
  ncfSequences: z.array(NcfSequence).optional(),
  /** Absent if the back-office issues only whole notes. */
  creditNotes: CreditNoteAbilities.optional().catch(undefined),
  company: Company.optional().catch(undefined),
  currencies: z.array(ForeignCurrency).optional().catch(undefined),
});
export type PosConfig = z.infer<typeof PosConfig>;

export const BackOfficeSession = z.object({ id: z.int(), name: z.string(), state: z.string() });
export type BackOfficeSession = z.infer<typeof BackOfficeSession>;

export const BootstrapRequest = z.object({ clientVersion: z.string().nullish() });

/** `session` is null while the POS session is closed. */
export const BootstrapAnswer = z.object({
  config: PosConfig,
  session: BackOfficeSession.nullable(),
  minClientVersion: z.string().nullable(),
  /** The back-office may report them here, in `config`, or not at all. */
  ncfSequences: z.array(NcfSequence).optional(),
});
export type BootstrapAnswer = z.infer<typeof BootstrapAnswer>;
