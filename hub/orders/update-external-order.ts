import type { UpdateOrder } from "@comanda/protocol";
import { patchCheck } from "@comanda/rules";
import type { ChangeOf } from "../changes/change.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import type { ExternalOrderDeps } from "./create-external-order.ts";
import { externalLines, withForeignFields } from "./external-lines.ts";
import { presentSnapshot } from "./lists/present-order.ts";
import type { Writer } from "./writer.ts";
import { ruleError } from "./rulebook/rule-error.ts";
import type { Rulebook } from "./rulebook/rulebook.ts";
import { storedCheck } from "./store/order-writer.ts";

/**
 * Changes a check for an integration. Any version of another writer above `baseVersion` is a conflict, including those of
 * the kitchen. A terminal's lease is not a conflict.
 */
export function updateExternalOrder(
  deps: Pick<ExternalOrderDeps, "world" | "changes" | "orders" | "orderWriter"> & { rulebook: Rulebook },
  key: KeyHolder,
  posReference: string,
  { lines: requested, ...input }: UpdateOrder,
): Promise<ChangeOf<"order.stored">> {
  const { world, changes, rulebook, orders, orderWriter } = deps;
  return changes.write((tx) => {
    const writer: Writer = { terminalId: key.writer, userName: key.label, role: "waiter" };
    const state = rulebook.contentState(tx, [posReference]);
    const stored = state.order(posReference)?.snapshot.lines ?? [];
    const lines = requested && withForeignFields(stored, externalLines(world, requested, stored));
    const patch = { posReference, ...input, lines };
    const outcome = patchCheck(state, patch, rulebook.context(tx, writer, { contentOnly: false }));
    if ("refusal" in outcome) {
      const { code, message } = ruleError(orders.get, outcome.refusal, posReference);
      const current = orders.get(posReference);
      if (code !== "CONFLICT" || current === null) throw new HubError(code, message);
      throw new HubError(code, message, { hubVersion: current.version, snapshot: presentSnapshot(current.snapshot) });
    }
    return storedCheck(orderWriter.store(tx, writer, outcome), posReference);
  });
}
