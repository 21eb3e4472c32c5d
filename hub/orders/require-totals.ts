import { equalsWithin } from "@comanda/rules";
import { HubError } from "../platform/errors.ts";

const TOLERANCE = 0.02;

/** Refuses a total that is not what its parts add up to. `parts` says what they are. */
export function requireTotals(field: string, total: number, added: number, parts: string): void {
  if (equalsWithin(total, added, TOLERANCE)) return;
  throw new HubError("TOTALS_MISMATCH", `${field} is ${total}, but ${parts} add up to ${added}`);
}
