import { Refusal } from "../refusal.ts";
import type { NumberToGive } from "../stores/ncf-numbers.ts";
import type { Stores } from "../stores/stores.ts";
import type { World } from "../world.ts";
import { fiscalDay } from "../world.ts";

export interface TakenNcf {
  ncf: string;
  expiresOn: string;
}

type For = Pick<NumberToGive, "holder" | "orderId" | "rnc">;

/**
 * Gives the next number of a sequence to an order or credit note; call it inside the transaction that stores the rest.
 * VALIDATION_ERROR when the type is not granted, NCF_EXHAUSTED when the range is used up or expired.
 */
export function takeNextNcf(stores: Stores, world: World, type: string, taker: For): TakenNcf {
  const sequence = stores.ncfNumbers.sequence(type);
  if (sequence === null) throw new Refusal("VALIDATION_ERROR", `type: there is no sequence ${type}`);
  if (fiscalDay(world.now()) > sequence.expiresOn) {
    throw new Refusal("NCF_EXHAUSTED", `the sequence ${type} expired on ${sequence.expiresOn}`);
  }
  let number = sequence.nextNumber;
  // A hub order may have brought a number of this range with it.
  while (number <= sequence.lastNumber && stores.ncfNumbers.isGiven(formatNcf(type, number))) number += 1;
  if (number > sequence.lastNumber) throw new Refusal("NCF_EXHAUSTED", `the sequence ${type} is used up`);

  const ncf = formatNcf(type, number);
  stores.ncfNumbers.setNextNumber(type, number + 1);
  stores.ncfNumbers.give({ ...taker, ncf, type, expiresOn: sequence.expiresOn, givenAt: world.now() });
  return { ncf, expiresOn: sequence.expiresOn };
}

/** `B` + 2 + 8 digits, `E` + 2 + 10. */
function formatNcf(type: string, number: number): string {
  return type + String(number).padStart(digitsOf(type), "0");
}

export function digitsOf(type: string): number {
  return type.startsWith("E") ? 10 : 8;
}
