import { isLocked, MAX_AMOUNT, type Snapshot, type UpdateOrder } from "@comanda/protocol";
import type { ChangeOf } from "../changes/change.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { externalLines, withForeignFields } from "./external-lines.ts";
import { guardSentLines, totalsOf, withKitchenFields } from "./line-rules.ts";
import type { OrderDeps } from "./order-deps.ts";
import { requireCurrent, requireOrder } from "./order-guards.ts";
import { requireTotalCoversPaid } from "./payment-rules.ts";
import { saveVersion } from "./save-version.ts";
import { mergePluginData } from "./terminal-snapshot.ts";

/**
 * Changes a check for an integration. Every other writer's version above `baseVersion` is a conflict, also one of the
 * kitchen; a terminal's lease is none.
 */
export function updateExternalOrder(
  deps: OrderDeps,
  key: KeyHolder,
  posReference: string,
  input: UpdateOrder,
): Promise<ChangeOf<"order.stored">> {
  return deps.changes.write((tx) => {
    const stored = requireOrder(deps, posReference);
    if (isLocked(stored.snapshot.status)) {
      throw new HubError("ORDER_LOCKED", `order ${posReference} is ${stored.snapshot.status} and takes no change`);
    }
    requireCurrent(deps, stored, input.baseVersion, key.writer, false);
    const snapshot = patched(deps.world, stored.snapshot, input);
    requireTotalCoversPaid(stored, snapshot);
    const writer = { terminalId: key.writer, userName: key.label };
    return saveVersion(deps, tx, writer, { posReference, snapshot, kind: "edited", previous: stored });
  });
}

function patched(world: World, before: Snapshot, input: UpdateOrder): Snapshot {
  const { customerName, notes, guestCount } = input;
  const next: Snapshot = {
    ...before,
    ...(customerName !== undefined && { customerName }),
    ...(notes !== undefined && { notes }),
    ...(guestCount !== undefined && { guestCount }),
    ...(input.lines !== undefined && replacedLines(world, before, input.lines)),
  };
  const pluginData = mergePluginData(before.pluginData, input.pluginData);
  delete next.pluginData;
  return pluginData === undefined ? next : { ...next, pluginData };
}

function replacedLines(
  world: World,
  before: Snapshot,
  requested: NonNullable<UpdateOrder["lines"]>,
): Pick<Snapshot, "lines" | "totals" | "status"> {
  const lines = withKitchenFields(
    before.lines,
    withForeignFields(before.lines, externalLines(world, requested, before.lines)),
  );
  guardSentLines(before.lines, lines, false);
  const totals = totalsOf(lines);
  if (totals.total > MAX_AMOUNT) {
    throw new HubError("VALIDATION_ERROR", `lines: their sum of ${totals.total} is above ${MAX_AMOUNT}`);
  }
  return { lines, totals, status: before.status === "sent" ? "changed" : before.status };
}
