import { HUB_ORIGIN, retryableCodes, type HubMessage } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { explainedError } from "../../platform/errors.ts";
import type { CarryOut } from "../mutations/carry-out-mutation.ts";
import { dismissedError, ordersIn } from "./keep-change.ts";
import type { KeptChange } from "./kept-change-store.ts";
import { ackOf, type MutationStore } from "../store/mutation-store.ts";
import type { Writer } from "../writer.ts";
import { RefusedMutation } from "../rulebook/refused-mutation.ts";

/**
 * Applies a kept change in the name of the manager, under the same rules as any mutation, and sends the answer to its
 * terminal. Throws a HubError and changes nothing if a rule refuses it, for example because the order has changed since.
 */
export function applyKeptChange(
  deps: { carryOut: CarryOut; mutations: MutationStore },
  tx: Tx,
  change: KeptChange,
  manager: string,
): void {
  const { mutation, mutationId, digest, terminalId, queuedAt } = change;
  if (mutation === null || digest === null) throw explainedError("VALIDATION_ERROR", "change_unreadable");
  // Not as its terminal: the conflict check must count what that terminal has written since.
  const writer: Writer = { terminalId: HUB_ORIGIN, userName: manager, role: "manager" };
  const answer = atomically(() => deps.carryOut(tx, mutation, { writer, queuedAtMs: queuedAt, credit: new Map() }));
  deps.mutations.remember(mutationId, digest, answer, tx.now);
  const message: HubMessage = { ...ackOf(answer), duplicate: true };
  tx.emit({ kind: "change.decided", terminalId, message });
}

/** Replaces the RefusedMutation of a batch by its refusal, so that a manager sees the same error as for one order. */
function atomically<T>(carryOut: () => T): T {
  try {
    return carryOut();
  } catch (error) {
    throw error instanceof RefusedMutation ? error.refusal : error;
  }
}

/** Tells the terminal that a manager has dismissed its change. */
export function dismissKeptChange(tx: Tx, { mutation, mutationId, terminalId }: KeptChange, manager: string): void {
  const { code: errorCode, message: error } = dismissedError(manager);
  const [posReference] = mutation === null ? [] : ordersIn(mutation);
  const message: HubMessage = {
    type: "ORDER_REJECTED",
    mutationId: mutation?.mutationId ?? mutationId,
    ...(posReference !== undefined && mutation?.type !== "ORDER_BATCH" && { posReference }),
    errorCode,
    error,
    retryable: retryableCodes.has(errorCode),
  };
  tx.emit({ kind: "change.decided", terminalId, message });
}
