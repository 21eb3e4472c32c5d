import type { RuleContext } from "../context.ts";
import { statusOf } from "../kitchen/line-quantities.ts";
import { changesOf, type Outcome, type Refusal } from "../outcome.ts";
import type { ServiceState } from "../state.ts";
import { refusalOfLease, refusalOfLock, refusalOfVersion } from "./guards.ts";

/** Moves a check to `checkout`, where it cannot be edited. */
export function checkOut(state: ServiceState, request: Request, context: RuleContext): Outcome {
  return move(state, request, context, false);
}

/** Moves a check from `checkout` back to the status that follows from its lines. */
export function reopen(state: ServiceState, request: Request, context: RuleContext): Outcome {
  return move(state, request, context, true);
}

interface Request {
  posReference: string;
  baseVersion: number;
}

function move(
  state: ServiceState,
  { posReference, baseVersion }: Request,
  context: RuleContext,
  isReopening: boolean,
): Outcome {
  const stored = state.order(posReference);
  if (stored === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const { status, lines } = stored.snapshot;
  const isCheckedOut = status === "checkout";
  const lock = isReopening && isCheckedOut ? null : refusalOfLock(stored);
  const refusal: Refusal | null =
    lock ??
    (isReopening && !isCheckedOut ? { code: "NOT_CHECKED_OUT", values: { status } } : null) ??
    refusalOfLease(context.hub, posReference) ??
    refusalOfVersion(context.hub, stored, baseVersion);
  if (refusal !== null) return { refusal };
  const snapshot = { ...stored.snapshot, status: isReopening ? statusOf(lines) : ("checkout" as const) };
  return changesOf({ checks: [{ previous: stored, snapshot, kind: isReopening ? "reopened" : "checkout" }] });
}
