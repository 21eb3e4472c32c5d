import type { ForwardedOrder } from "@comanda/protocol";
import { sumOfLines, totalsAgree } from "@comanda/rules";
import { z } from "zod";
import { Refusal } from "../refusal.ts";

const Adjustments = z.array(z.looseObject({ amount: z.number() })).catch([]);

/** Throws TOTALS_MISMATCH unless the total equals the sum of the lines that are not voided and the adjustments. */
export function requireTotals({ snapshot }: ForwardedOrder): void {
  const { total } = snapshot.totals;
  const added = sumOfLines(snapshot.lines, Adjustments.parse(snapshot["adjustments"])).total;
  if (totalsAgree(total, added)) return;
  throw new Refusal("TOTALS_MISMATCH", `the total is ${total}, but the lines and adjustments add up to ${added}`);
}
