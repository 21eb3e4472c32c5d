import { HUB_ORIGIN } from "@comanda/protocol";
import { revert } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import { HubError, explainedError } from "../platform/errors.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { requireNoOtherLease, requireOrder, requireUnlocked } from "./rulebook/order-guards.ts";
import { ruleError } from "./rulebook/rule-error.ts";
import { written, type Written } from "./store/save-version.ts";
import { contentState, ruleContext } from "./rulebook/service-state.ts";
import { storeChanges, storedCheck } from "./store/store-changes.ts";

/**
 * Writes the content of an earlier version as a new version of the hub's own. Refuses an order that is locked, discarded or
 * leased, and one that has moved on from `baseVersion`.
 */
export function revertOrder(
  deps: OrderDeps,
  tx: Tx,
  request: { posReference: string; version: number; baseVersion: number; userName: string },
): Written {
  const { posReference, version, baseVersion, userName } = request;
  if (deps.orders.wasRemoved(posReference)) {
    throw explainedError("ORDER_LOCKED", "order_discarded", { posReference });
  }
  const stored = requireOrder(deps, posReference);
  requireUnlocked(stored);
  const writer: Writer = { terminalId: HUB_ORIGIN, userName, role: "manager" };
  requireNoOtherLease(deps, posReference, writer);
  if (baseVersion !== stored.version) {
    throw ruleError(deps.orders.get, {
      code: "MOVED_ON",
      values: { posReference, version: stored.version, baseVersion },
    });
  }
  if (version === stored.version) throw explainedError("VALIDATION_ERROR", "version_is_current");
  const earlier = deps.orders.versionBody(posReference, version);
  if (earlier === null) throw new HubError("NOT_FOUND", `order ${posReference} has no version ${version}`);

  const state = contentState(deps, tx, [posReference]);
  const outcome = revert(state, stored, earlier.snapshot, ruleContext(deps, tx, writer));
  if ("refusal" in outcome) throw ruleError(deps.orders.get, outcome.refusal, posReference);
  return written(storedCheck(storeChanges(deps, tx, writer, outcome), posReference));
}
