import { isDeepStrictEqual } from "node:util";
import type { Adjustment, Snapshot, StoredLine, TerminalLine, TerminalSnapshot } from "@comanda/protocol";
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

/** Whether a line takes more off its price than the stored line did that it is, or is a part of. */
function hasDiscounted({ lines = [] }: TerminalSnapshot, stored: ReadonlyMap<string, StoredLine>): boolean {
  return lines.some((line) => {
    const known = [stored.get(line.id), line.splitOf === undefined ? undefined : stored.get(line.splitOf)];
    return (["percent", "amount"] as const).some(
      (form) => discountIn(line, form) > Math.max(...known.map((each) => discountIn(each, form))),
    );
  });
}

function discountIn(line: TerminalLine | StoredLine | undefined, form: "percent" | "amount"): number {
  const discount = line?.["discount"];
  if (typeof discount !== "object" || discount === null) return 0;
  const value: unknown = Reflect.get(discount, form);
  return typeof value === "number" ? value : 0;
}

type OrderWrite = { posReference: string; snapshot: TerminalSnapshot };

/**
 * Whether a waiter gives a discount: the writes of one mutation together take off more than their orders did before, so
 * that one that is there may stay, and go along with a split or a merge. Called before they are stored; the check that it
 * returns is called after, so that a conflict or a lock is what the terminal hears of first.
 */
export function discountCheck(deps: Pick<OrderDeps, "orders">, writes: readonly OrderWrite[], writer: Writer) {
  const takesOff = ({ snapshot }: OrderWrite): boolean =>
    takenOff(snapshot.adjustments) > 0 || hasDiscounted(snapshot, new Map());
  const suspect = writer.role === "waiter" ? writes.find(takesOff) : undefined;
  if (suspect === undefined) return (): void => {};

  const checks = writes.map(({ posReference, snapshot }) => {
    return { snapshot, before: deps.orders.get(posReference)?.snapshot };
  });
  const stored = new Map(checks.flatMap(({ before }) => before?.lines ?? []).map((line) => [line.id, line]));
  const before = sum(checks.map((check) => takenOff(check.before?.adjustments)));
  const after = sum(checks.map((check) => takenOff(requestedAdjustments(check.snapshot, check.before))));
  const discounted = after > before ? suspect : writes.find(({ snapshot }) => hasDiscounted(snapshot, stored));
  return (): void => {
    if (discounted === undefined) return;
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
