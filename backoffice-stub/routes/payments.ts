import type { PaymentMethodsAnswer } from "@comanda/protocol";
import type { Routes } from "../http/routes.ts";
import type { Stores } from "../stores/stores.ts";

export function paymentRoutes(routes: Routes, { catalog }: Stores): void {
  routes.post("/payments/methods", (): PaymentMethodsAnswer => ({ paymentMethods: catalog.paymentMethods() }));
}
