import { z } from "zod";
import { RecordRef } from "./record-ref.ts";

/** `pay_later` is the customer's credit. */
export const PaymentMethodType = z.enum(["cash", "bank", "pay_later"]);
export type PaymentMethodType = z.infer<typeof PaymentMethodType>;

export const PaymentMethod = z.object({ id: z.int(), name: z.string(), type: PaymentMethodType });
export type PaymentMethod = z.infer<typeof PaymentMethod>;

export const PaymentMethodsAnswer = z.object({ paymentMethods: z.array(PaymentMethod) });
export type PaymentMethodsAnswer = z.infer<typeof PaymentMethodsAnswer>;

export const CreditCheckRequest = z.object({ customerId: RecordRef, amount: z.number().nonnegative() });
export type CreditCheckRequest = z.infer<typeof CreditCheckRequest>;

export const CreditCheckAnswer = z.object({ eligible: z.boolean(), available: z.number() });
export type CreditCheckAnswer = z.infer<typeof CreditCheckAnswer>;
