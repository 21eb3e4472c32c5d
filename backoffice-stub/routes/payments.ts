import type { PaymentMethodsAnswer } from "@comanda/protocol";
import type { Routes } from "../http/routes.ts";
import { paymentMethods } from "../seed/catalog.ts";

export function paymentRoutes(routes: Routes): void {
  routes.post("/payments/methods", (): PaymentMethodsAnswer => ({ paymentMethods: [...paymentMethods] }));
}
