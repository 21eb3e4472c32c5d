import { isDeepStrictEqual } from "node:util";
import type { Adjustment } from "@comanda/protocol";

/** New discounts that somebody else approved carry that name. */
export function withApproval(
  adjustments: readonly Adjustment[],
  before: readonly Adjustment[] = [],
  approvedBy: string | undefined,
): Adjustment[] {
  return adjustments.map((each) => {
    const isNew = each.kind === "discount" && !before.some((known) => isDeepStrictEqual(known, each));
    return isNew && approvedBy !== undefined ? { ...each, by: approvedBy } : each;
  });
}
