import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { RecordRef } from "./record-ref.ts";

/** `pay_later` is credit to a customer. */
export const PaymentMethodType = z.enum(["cash", "bank", "pay_later"]);

export const PaymentMethod = z.looseObject({ id: z.int(), name: z.string(), type: PaymentMethodType });
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const PaymentMethodsAnswer = z.object({ paymentMethods: z.array(PaymentMethod) });
export type PaymentMethodsAnswer = z.infer<typeof PaymentMethodsAnswer>;

export const CreditCheckRequest = z.object({ customerId: RecordRef, amount: z.number().nonnegative() });

export const CreditCheckAnswer = z.object({ eligible: z.boolean(), available: z.number() });
export type CreditCheckAnswer = z.infer<typeof CreditCheckAnswer>;

/** POST customers/search, our extension, which a back-office may lack. Searches name, phone and RNC. */
export const CustomerSearchRequest = z.object({
  query: z.string().max(MAX_SEARCH),
  limit: z.int().positive().max(100).default(20),
});
export type CustomerSearchRequest = z.infer<typeof CustomerSearchRequest>;

export const Customer = z.looseObject({
  id: RecordRef,
  name: z.string(),
  rnc: z.string().nullish(),
  phone: z.string().nullish(),
  creditAllowed: z.boolean().optional(),
});
export type Customer = z.infer<typeof Customer>;

export const CustomerSearchAnswer = z.object({ customers: z.array(Customer) });
export type CustomerSearchAnswer = z.infer<typeof CustomerSearchAnswer>;
