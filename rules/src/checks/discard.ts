import type { StoredOrder } from "@comanda/protocol";
import { isActive } from "@comanda/protocol/order-status.ts";
import type { RuleContext } from "../context.ts";
import { cancelWork } from "../kitchen/kitchen-write.ts";
import { cancelledQuantityOf } from "../kitchen/line-quantities.ts";
import { openTenders } from "../money/due/amount-due.ts";
import { changesOf, type Outcome, type Refusal } from "../outcome.ts";
import { refusalOfRemoval } from "../payments/money-on-check.ts";
import type { ServiceState } from "../state.ts";
import { refusalOfChange } from "./guards.ts";

/** Removes a check permanently; its reference is never reused. Kitchen work that is not ready is cancelled. */
export function discard(
  state: ServiceState,
  request: { posReference: string; baseVersion: number; reason?: string | undefined },
  context: RuleContext,
): Outcome {
  const { posReference, baseVersion, reason = null } = request;
  const check = state.order(posReference);
  if (check === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const refusal: Refusal | null =
    refusalOfPerson(check, context) ??
    refusalOfChange(context.hub, check, baseVersion) ??
    refusalOfRemoval(check.snapshot);
  if (refusal !== null) return { refusal };
  const cancelled = cancelWork(state, posReference, context.now);
  return changesOf({ ...cancelled, removals: [{ check, reason }] });
}

/** Allows a waiter to discard a check only if it has no money and nothing sent to the kitchen. */
function refusalOfPerson({ posReference, snapshot }: StoredOrder, { writer, hub }: RuleContext): Refusal | null {
  if (writer.role !== "waiter") return null;
  const hasMoney = openTenders(snapshot).length > 0 || hub?.hasKeptMoney(posReference) === true;
  if (hasMoney || !isActive(snapshot.status)) return { code: "DISCARD_NEEDS_CASHIER", values: { why: "payments" } };
  const isWithKitchen = snapshot.lines.some((line) => (line.sentQuantity ?? 0) > cancelledQuantityOf(line));
  return isWithKitchen ? { code: "DISCARD_NEEDS_CASHIER", values: { why: "kitchen" } } : null;
}
