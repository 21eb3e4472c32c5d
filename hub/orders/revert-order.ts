import { HUB_ORIGIN } from "@comanda/protocol";
import { revert } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import type { OrderStore } from "./store/order-store.ts";
import type { Writer } from "./writer.ts";
import { movedLines } from "./moved-lines.ts";
import { requireNoOtherLease, requireOrder, requireUnlocked } from "./rulebook/order-guards.ts";
import { ruleError } from "./rulebook/rule-error.ts";
import { written, type Written } from "./store/save-version.ts";
import type { Rulebook } from "./rulebook/rulebook.ts";
import { type OrderWriter, storedCheck } from "./store/order-writer.ts";

export interface RevertRequest {
  posReference: string;
  version: number;
  baseVersion: number;
  userName: string;
}

/**
 * Writes the content of an earlier version as a new version by the hub. Throws a HubError if the order is locked, discarded or
 * leased, or is no longer at `baseVersion`.
 */
export function revertOrder(
  { rulebook, orders, orderWriter }: { rulebook: Rulebook; orders: OrderStore; orderWriter: OrderWriter },
  tx: Tx,
  request: RevertRequest,
): Written {
  const { posReference, version, baseVersion, userName } = request;
  if (orders.wasRemoved(posReference)) {
    throw explainedError("ORDER_LOCKED", "order_discarded", { posReference });
  }
  const stored = requireOrder(orders, posReference);
  requireUnlocked(stored);
  const writer: Writer = { terminalId: HUB_ORIGIN, userName, role: "manager" };
  const context = rulebook.context(tx, writer);
  requireNoOtherLease(context, posReference);
  if (baseVersion !== stored.version) {
    throw ruleError(orders.get, {
      code: "MOVED_ON",
      values: { posReference, version: stored.version, baseVersion },
    });
  }
  if (version === stored.version) throw explainedError("VALIDATION_ERROR", "version_is_current");
  const earlier = orders.versionBody(posReference, version);
  if (earlier === null) throw new HubError("NOT_FOUND", `order ${posReference} has no version ${version}`);

  const state = rulebook.contentState(tx, [posReference]);
  const elsewhere = movedLines(orders, earlier);
  const outcome = revert(state, stored, earlier.snapshot, { ...context, elsewhere });
  if ("refusal" in outcome) throw ruleError(orders.get, outcome.refusal, posReference);
  return written(storedCheck(orderWriter.store(tx, writer, outcome), posReference));
}
