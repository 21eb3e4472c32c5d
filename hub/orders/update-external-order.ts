import { isLocked, MAX_AMOUNT, type Snapshot, type UpdateOrder } from "@comanda/protocol";
import type { ChangeOf } from "../changes/change.ts";
import { HubError } from "../platform/errors.ts";
import type { KeyHolder } from "../keys/key-store.ts";
import { isoTime, type World } from "../platform/world.ts";
import { externalLines, withForeignFields } from "./external-lines.ts";
import { guardSentLines, totalsOf, withKitchenFields } from "./line-rules.ts";
import { requireCurrent, requireOrder } from "./order-guards.ts";
import type { OrderDeps } from "./order-deps.ts";
import { mergePluginData } from "./terminal-snapshot.ts";

/**
 * Changes a check for an integration. Every other writer's version above `baseVersion` is a conflict, the kitchen's
 * too; a terminal's lease does not stand in the way.
 */
export function updateExternalOrder(
  room: OrderDeps,
  key: KeyHolder,
  posReference: string,
  asked: UpdateOrder,
): Promise<ChangeOf<"order.stored">> {
  return room.changes.write((tx) => {
    const stored = requireOrder(room, posReference);
    if (isLocked(stored.snapshot.status)) {
      throw new HubError("ORDER_LOCKED", `order ${posReference} is ${stored.snapshot.status} and takes no change`);
    }
    requireCurrent(room, stored, asked.baseVersion, key.writer, false);
    const change = room.orders.save(tx, {
      posReference,
      snapshot: { ...patched(room.world, stored.snapshot, asked), updatedAt: isoTime(tx.now) },
      kind: "edited",
      origin: key.writer,
      userName: key.label,
      previous: stored,
    });
    tx.emit(change);
    return change;
  });
}

function patched(world: World, before: Snapshot, asked: UpdateOrder): Snapshot {
  const { customerName, notes, guestCount } = asked;
  const next: Snapshot = {
    ...before,
    ...(customerName !== undefined && { customerName }),
    ...(notes !== undefined && { notes }),
    ...(guestCount !== undefined && { guestCount }),
    ...(asked.lines !== undefined && replacedLines(world, before, asked.lines)),
  };
  const pluginData = mergePluginData(before.pluginData, asked.pluginData);
  delete next.pluginData;
  return pluginData === undefined ? next : { ...next, pluginData };
}

function replacedLines(
  world: World,
  before: Snapshot,
  given: NonNullable<UpdateOrder["lines"]>,
): Pick<Snapshot, "lines" | "totals" | "status"> {
  const lines = withKitchenFields(
    before.lines,
    withForeignFields(before.lines, externalLines(world, given, before.lines)),
  );
  guardSentLines(before.lines, lines, false);
  const totals = totalsOf(lines);
  if (totals.total > MAX_AMOUNT) {
    throw new HubError("VALIDATION_ERROR", `lines: their sum of ${totals.total} is above ${MAX_AMOUNT}`);
  }
  return { lines, totals, status: before.status === "sent" ? "changed" : before.status };
}
