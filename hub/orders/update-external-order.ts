import { isLocked, MAX_AMOUNT, type Snapshot, type StoredLine, type UpdateOrder } from "@comanda/protocol";
import { sumOfLines } from "@comanda/rules";
import type { ChangeOf } from "../changes/change.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import type { World } from "../platform/world.ts";
import { externalLines, withForeignFields } from "./external-lines.ts";
import { planKitchenWrite } from "./kitchen-write.ts";
import type { OrderDeps } from "./order-deps.ts";
import { requireCurrent, requireOrder } from "./order-guards.ts";
import { requireTotalCoversPaid } from "./payment-refusal.ts";
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
    const lines = input.lines && requestedLines(deps.world, stored.snapshot, input.lines);
    const check = { posReference, stored: stored.snapshot.lines, requested: lines ?? stored.snapshot.lines };
    const kitchen = planKitchenWrite(deps, tx, [check], noRights);
    const snapshot = patched(stored.snapshot, input, lines && kitchen.lines(posReference, lines));
    requireTotalCoversPaid(stored, snapshot);
    const writer = { terminalId: key.writer, userName: key.label };
    const change = saveVersion(deps, tx, writer, { posReference, snapshot, kind: "edited", previous: stored });
    kitchen.save(writer, [change.order.snapshot]);
    return change;
  });
}

/** What the kitchen has is none of an integration's business. */
const noRights = { mayVoid: false, mayTakeBack: () => false };

function patched(before: Snapshot, input: UpdateOrder, lines: StoredLine[] | undefined): Snapshot {
  const { customerName, notes, guestCount } = input;
  const next: Snapshot = {
    ...before,
    ...(customerName !== undefined && { customerName }),
    ...(notes !== undefined && { notes }),
    ...(guestCount !== undefined && { guestCount }),
    ...(lines !== undefined && withLines(before, lines)),
  };
  const pluginData = mergePluginData(before.pluginData, input.pluginData);
  delete next.pluginData;
  return pluginData === undefined ? next : { ...next, pluginData };
}

function requestedLines(world: World, before: Snapshot, requested: NonNullable<UpdateOrder["lines"]>): StoredLine[] {
  return withForeignFields(before.lines, externalLines(world, requested, before.lines));
}

function withLines(before: Snapshot, lines: StoredLine[]): Pick<Snapshot, "lines" | "totals" | "status"> {
  const totals = sumOfLines(lines, before.adjustments);
  if (totals.total > MAX_AMOUNT) {
    throw new HubError("VALIDATION_ERROR", `lines: their sum of ${totals.total} is above ${MAX_AMOUNT}`);
  }
  return { lines, totals, status: before.status === "sent" ? "changed" : before.status };
}
