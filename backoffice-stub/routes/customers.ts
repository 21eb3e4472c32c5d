import {
  CreditCheckRequest,
  CustomerSearchRequest,
  type CreditCheckAnswer,
  type CustomerSearchAnswer,
} from "@comanda/protocol";
import { fromCents, toCents } from "@comanda/rules";
import { searchCustomers } from "../customers/search-customers.ts";
import type { Routes } from "../http/routes.ts";
import { parse } from "../parse.ts";
import { Refusal } from "../refusal.ts";
import type { Stores } from "../stores/stores.ts";

export function customerRoutes(routes: Routes, { customers }: Stores): void {
  routes.post("/customers/search", ({ body }): CustomerSearchAnswer => ({
    customers: searchCustomers(customers.list(), parse(CustomerSearchRequest, body)),
  }));

  routes.post("/customers/credit-check", ({ body }): CreditCheckAnswer => {
    const { customerId, amount } = parse(CreditCheckRequest, body);
    const customer = customers.get(customerId);
    if (customer === null) throw new Refusal("NOT_FOUND", `there is no customer ${customerId}`);
    const availableCents = customer.creditLimitCents - customer.creditUsedCents;
    const eligible = customer.creditLimitCents > 0 && toCents(amount) <= availableCents;
    return { eligible, available: fromCents(availableCents) };
  });
}
