import type { Catalogue } from "@comanda/protocol";
import { useQuery } from "@tanstack/react-query";
import { hubQuery } from "../../../lib/hub-query.ts";

const nothing: Catalogue = { currency: "DOP", products: {}, paymentMethods: {}, tables: {} };

/** What the numbers are called; empty until it is known. */
export function useCatalogue(): Catalogue {
  return useQuery(hubQuery("catalogue", {})).data ?? nothing;
}
