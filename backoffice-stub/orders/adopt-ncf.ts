import { Ncf, type ForwardedOrder } from "@comanda/protocol";
import { typeOfNumber } from "@comanda/rules";
import { z } from "zod";
import { Refusal } from "../refusal.ts";
import type { AssignedNumber } from "../stores/ncf-numbers.ts";
import type { OrderDeps } from "./place-order.ts";

const NumberField = z.looseObject({ ncf: z.unknown().optional() });

/**
 * Assigns the fiscal number of a hub's order: the one reserved for its reference, or one never assigned here. Call it inside
 * the transaction that stores the order. Throws NCF_INVALID if it is malformed, and NCF_CONFLICT if another order has it, if
 * it is annulled, or if another number is reserved for the reference.
 */
export function adoptNcf({ stores, world }: OrderDeps, { posReference, snapshot }: ForwardedOrder): void {
  const ncf = snapshot["ncf"] ?? NumberField.safeParse(snapshot["fiscal"]).data?.ncf ?? "";
  if (ncf === "") return;

  const form = Ncf.safeParse(ncf);
  if (!form.success) throw new Refusal("NCF_INVALID", `${JSON.stringify(ncf)} is not a fiscal number`);
  const assigned = stores.ncfNumbers.find(form.data);
  const reserved = stores.ncfNumbers.findByOrder(posReference);
  if (assigned !== null && assigned.ncf === reserved?.ncf) return;

  if (assigned !== null) throw new Refusal("NCF_CONFLICT", `${assigned.ncf} ${describeHolder(assigned)}`);
  if (reserved !== null)
    throw new Refusal("NCF_CONFLICT", `${reserved.ncf} is reserved for ${posReference}, not ${form.data}`);
  stores.ncfNumbers.assign({
    ncf: form.data,
    type: typeOfNumber(form.data),
    holder: "order",
    posReference,
    rnc: null,
    expiresOn: null,
    assignedAt: world.now(),
  });
}

function describeHolder({ holder, posReference, annulledReason }: AssignedNumber): string {
  if (annulledReason !== null) return `is annulled (${annulledReason})`;
  return holder === "order" ? `belongs to the order ${posReference}` : `belongs to the credit note of ${posReference}`;
}
