import { isDeepStrictEqual } from "node:util";
import type { Adjustment, Snapshot, TerminalSnapshot } from "@comanda/protocol";
import { HubError } from "../platform/errors.ts";
import { sum } from "../platform/money.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { RefusedMutation } from "./refused-mutation.ts";

/** What rounding for cash may take off without being a discount. */
const MOST_ROUNDING = 5;

/** The adjustments of an order after a terminal's write; one that sends no lines leaves them unless it names them. */
export function requestedAdjustments(
  input: Pick<TerminalSnapshot, "adjustments" | "lines">,
  before: Snapshot | undefined,
): Adjustment[] | undefined {
  return input.adjustments ?? (input.lines === undefined ? before?.adjustments : undefined);
}

/** How much adjustments take off: discounts, and whatever else is below zero. */
function takenOff(adjustments: readonly Adjustment[] = []): number {
  const isRounding = ({ kind }: Adjustment): boolean => kind === "rounding";
  const rounding = -sum(adjustments.filter(isRounding).map(({ amount }) => amount));
  const others = adjustments.filter((each) => !isRounding(each));
  return sum([rounding > MOST_ROUNDING ? rounding : 0, ...others.map(({ amount }) => Math.max(0, -amount))]);
}

type OrderWrite = { posReference: string; snapshot: TerminalSnapshot };

/**
 * Whether a waiter gives a discount: the writes of one mutation together take off more than their orders did before, so
 * that one that is there may stay, and go along with a split or a merge. Called before they are stored; the check that it
 * returns is called after, so that a conflict or a lock is what the terminal hears of first.
 */
export function discountCheck(deps: Pick<OrderDeps, "orders">, writes: readonly OrderWrite[], writer: Writer) {
  const discounted = writes.find(({ snapshot }) => takenOff(snapshot.adjustments) > 0);
  if (writer.role !== "waiter" || discounted === undefined) return (): void => {};
  const amounts = writes.map(({ posReference, snapshot }) => {
    const before = deps.orders.get(posReference)?.snapshot;
    return { before: takenOff(before?.adjustments), after: takenOff(requestedAdjustments(snapshot, before)) };
  });
  const isMore = sum(amounts.map(({ after }) => after)) > sum(amounts.map(({ before }) => before));
  return (): void => {
    if (!isMore) return;
    const refusal = new HubError("FORBIDDEN", "only a cashier or manager may give a discount");
    throw new RefusedMutation(discounted.posReference, refusal);
  };
}

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
