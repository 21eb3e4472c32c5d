import { z } from "zod";
import { BackOfficeFloor } from "./floor-plan.ts";
import { PaymentMethod } from "./payments.ts";

/** `rate` in percent of the net price; `orderTypes` are those it is charged on (the legal tip: `dine_in` only). */
export const BackOfficeTax = z.object({
  id: z.int(),
  name: z.string(),
  rate: z.number(),
  included: z.boolean(),
  orderTypes: z.array(z.string()),
});
export type BackOfficeTax = z.infer<typeof BackOfficeTax>;

export const BackOfficeCategory = z.object({ id: z.int(), name: z.string() });
export type BackOfficeCategory = z.infer<typeof BackOfficeCategory>;

export const BackOfficeProduct = z.object({
  id: z.int(),
  name: z.string(),
  price: z.number(),
  categoryId: z.int(),
  taxIds: z.array(z.int()),
});
export type BackOfficeProduct = z.infer<typeof BackOfficeProduct>;

export const PosConfig = z.object({
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
});
export type PosConfig = z.infer<typeof PosConfig>;

export const BackOfficeSession = z.object({ id: z.int(), name: z.string(), state: z.string() });
export type BackOfficeSession = z.infer<typeof BackOfficeSession>;

export const BootstrapRequest = z.object({ clientVersion: z.string().nullish() });
export type BootstrapRequest = z.infer<typeof BootstrapRequest>;

/** `session` is null while the POS session is closed. */
export const BootstrapAnswer = z.object({
  config: PosConfig,
  session: BackOfficeSession.nullable(),
  minClientVersion: z.string().nullable(),
});
export type BootstrapAnswer = z.infer<typeof BootstrapAnswer>;
