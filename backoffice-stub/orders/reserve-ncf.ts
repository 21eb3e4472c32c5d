import { BuyerRnc, type ReserveNcfAnswer, type ReserveNcfRequest } from "@comanda/protocol";
import { transact } from "../db/open.ts";
import { parse } from "../parse.ts";
import { Refusal } from "../refusal.ts";
import type { Stores } from "../stores/stores.ts";
import { contentOf } from "./order-content.ts";
import type { OrderDeps } from "./place-order.ts";
import { mustFindSequence, takeNextNcf } from "./take-next-ncf.ts";

const typesForTaxpayers = ["B01", "E31"];

/**
 * Reserves one number per reference, even before its order exists. A repeat with the same type returns the same number;
 * another type is refused with the number held.
 */
export function reserveNcf({ db, stores, world }: OrderDeps, request: ReserveNcfRequest): ReserveNcfAnswer {
  const { type, pos_reference: posReference } = request;
  return transact(db, () => {
    const sequence = mustFindSequence(stores, type);

    const reserved = stores.ncfNumbers.findByOrder(posReference);
    if (reserved?.type === type)
      return { ncf: reserved.ncf, type, expiresOn: reserved.expiresOn ?? sequence.expiresOn };
    if (reserved !== null) {
      throw new Refusal("NCF_ALREADY_RESERVED", `${posReference} already holds ${reserved.ncf}`, {
        ncf: reserved.ncf,
        type: reserved.type,
      });
    }
    const rnc = buyerRnc(stores, request);
    if (rnc === null && typesForTaxpayers.includes(type)) {
      throw new Refusal("VALIDATION_ERROR", `rnc: a number of type ${type} needs the buyer's RNC`);
    }
    return { ...takeNextNcf(stores, world, type, { holder: "order", posReference, rnc }), type };
  });
}

/** Returns the RNC of the request, or else of the order, or else of its customer. */
function buyerRnc(stores: Stores, request: ReserveNcfRequest): string | null {
  const order = stores.orders.get(request.pos_reference);
  const content = order === null ? null : contentOf(order);
  const customer = stores.customers.get(content?.customerId ?? null);
  const rnc = request.rnc ?? content?.rnc ?? customer?.rnc ?? null;
  return rnc === null || rnc === "" ? null : parse(BuyerRnc, rnc);
}
