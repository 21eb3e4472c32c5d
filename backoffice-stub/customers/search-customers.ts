import { digitsOf, foldText, type Customer as PresentedCustomer, type CustomerSearchRequest } from "@comanda/protocol";
import type { Customer } from "../stores/customers.ts";

/** Returns customers whose name, phone or RNC contains every word of the query, ignoring case, accents and dashes. */
export function searchCustomers(
  customers: readonly Customer[],
  { query, limit }: CustomerSearchRequest,
): PresentedCustomer[] {
  const words = foldText(query).split(/\s+/).filter(isWord);
  return customers
    .filter((customer) => words.every((word) => matches(customer, word)))
    .slice(0, limit)
    .map(({ id, name, rnc, phone, creditLimitCents }) => ({
      id,
      name,
      rnc,
      phone,
      creditAllowed: creditLimitCents > 0,
    }));
}

function matches({ name, rnc, phone }: Customer, word: string): boolean {
  if (foldText(name).includes(word)) return true;
  const digits = /^[\d().+-]+$/.test(word) ? digitsOf(word) : "";
  return digits !== "" && [rnc, phone].some((number) => digitsOf(number).includes(digits));
}

function isWord(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
