import type { UpdateOrder } from "@comanda/protocol";
import { patchCheck } from "@comanda/rules";
import type { ChangeOf } from "../changes/change.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import { externalLines, withForeignFields } from "./external-lines.ts";
import type { OrderDeps, Writer } from "./order-deps.ts";
import { ruleError } from "./rulebook/rule-error.ts";
import { contentState, ruleContext } from "./rulebook/service-state.ts";
import { storeChanges, storedCheck } from "./store/store-changes.ts";

/**
 * Changes a check for an integration. Every other writer's version above `baseVersion` is a conflict, also one of the
 * kitchen; a terminal's lease is none.
 */
export function updateExternalOrder(
  deps: OrderDeps,
  key: KeyHolder,
  posReference: string,
  { lines: requested, ...input }: UpdateOrder,
): Promise<ChangeOf<"order.stored">> {
  return deps.changes.write((tx) => {
    const writer: Writer = { terminalId: key.writer, userName: key.label, role: "waiter" };
    const state = contentState(deps, tx, [posReference]);
    const stored = state.order(posReference)?.snapshot.lines ?? [];
    const lines = requested && withForeignFields(stored, externalLines(deps.world, requested, stored));
    const patch = { posReference, ...input, lines };
    const outcome = patchCheck(state, patch, ruleContext(deps, tx, writer, { contentOnly: false }));
    if ("refusal" in outcome) {
      const error = ruleError(deps.orders.get, outcome.refusal, posReference);
      // Only a conflict shows an integration what the check is now.
      throw error.code === "ORDER_LOCKED" ? new HubError("ORDER_LOCKED", error.message) : error;
    }
    return storedCheck(storeChanges(deps, tx, writer, outcome), posReference);
  });
}
