import { isElectronic } from "@comanda/rules";
import { Refusal } from "../refusal.ts";
import type { NcfSequence, NumberToAssign } from "../stores/ncf-numbers.ts";
import type { Stores } from "../stores/stores.ts";
import { fiscalDay, type World } from "../world.ts";

type Holder = Pick<NumberToAssign, "holder" | "posReference" | "rnc">;

/**
 * Assigns the next number of a sequence to an order or credit note. Call it inside the transaction that stores these. Throws
 * VALIDATION_ERROR if the type is not granted, NCF_EXHAUSTED if the range is used up or expired.
 */
export function takeNextNcf(
  stores: Stores,
  world: World,
  type: string,
  holder: Holder,
): { ncf: string; expiresOn: string } {
  const sequence = mustFindSequence(stores, type);
  if (fiscalDay(world.now()) > sequence.expiresOn) {
    throw new Refusal("NCF_EXHAUSTED", `the sequence ${type} expired on ${sequence.expiresOn}`);
  }
  let number = sequence.nextNumber;
  // A hub order may already have used a number of this range.
  while (number <= sequence.lastNumber && stores.ncfNumbers.find(formatNcf(type, number)) !== null) number += 1;
  if (number > sequence.lastNumber) throw new Refusal("NCF_EXHAUSTED", `the sequence ${type} is used up`);

  const ncf = formatNcf(type, number);
  stores.ncfNumbers.setNextNumber(type, number + 1);
  stores.ncfNumbers.assign({ ...holder, ncf, type, expiresOn: sequence.expiresOn, assignedAt: world.now() });
  return { ncf, expiresOn: sequence.expiresOn };
}

/** Returns the granted range of a type. Throws VALIDATION_ERROR. */
export function mustFindSequence({ ncfNumbers }: Stores, type: string): NcfSequence {
  const sequence = ncfNumbers.sequence(type);
  if (sequence === null) throw new Refusal("VALIDATION_ERROR", `type: there is no sequence ${type}`);
  return sequence;
}

/** Formats `B` + 2 + 8 digits, or `E` + 2 + 10 digits. */
function formatNcf(type: string, number: number): string {
  return type + String(number).padStart(digitsOf(type), "0");
}

export function digitsOf(type: string): number {
  return isElectronic(type) ? 10 : 8;
}
