import type { ReleaseNcfAnswer, ReleaseNcfRequest } from "@comanda/protocol";
import { transact } from "../db/open.ts";
import { Refusal } from "../refusal.ts";
import type { OrderDeps } from "./place-order.ts";

/**
 * Annuls the number of a reference. It is never assigned again, and the reference may reserve another one. Throws NOT_FOUND if
 * the reference has none, NCF_USED if its order is paid.
 */
export function releaseNcf({ db, stores }: OrderDeps, { pos_reference, reason }: ReleaseNcfRequest): ReleaseNcfAnswer {
  return transact(db, () => {
    const reserved = stores.ncfNumbers.findByOrder(pos_reference);
    if (reserved === null) throw new Refusal("NOT_FOUND", `${pos_reference} holds no fiscal number`);
    if (stores.orders.get(pos_reference)?.status === "paid") {
      throw new Refusal("NCF_USED", `${reserved.ncf} is used: the order ${pos_reference} is paid`);
    }
    stores.ncfNumbers.annul(reserved.ncf, reason);
    return { ncf: reserved.ncf, type: reserved.type, reason };
  });
}
