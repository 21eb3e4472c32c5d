import type { Intent, Refusal } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Conflict, PresentConflict } from "../queue/present-conflict.ts";
import type { Slot } from "../queue/slot.ts";

export type Refuse = (slot: Slot, refusal: Omit<Refusal, "at">) => void;

/** Keeps a finally refused mutation as a conflict, for a person's decision. */
export function createRefuse(deps: {
  queue: Pick<OutboxQueue, "refuse" | "waitingFor">;
  keep: OutboxWrites["keep"];
  present: PresentConflict;
  now: () => string;
  changed: (intents: readonly Intent[]) => void;
  conflict: (conflict: Conflict) => void;
}): Refuse {
  const { queue, keep, present, now } = deps;
  return (slot, refusal) => {
    const { entry } = slot;
    const { queuedBefore: after, isKeptByHub } = entry;
    // The fork may be the cause, not another person.
    const isStale = after !== undefined && (refusal.errorCode === "CONFLICT" || refusal.errorCode === "NOT_FOUND");
    const mark = isKeptByHub === true && { isMoneyKept: true as const };
    queue.refuse(slot, { ...refusal, ...mark, at: now(), ...(isStale && { after }) });
    keep(slot);
    const behind = queue.waitingFor(slot).map((waiting) => waiting.entry.intent);
    const conflict = present(entry, behind);
    slot.settle({ state: "refused", conflict });
    deps.changed([entry.intent]);
    deps.conflict(conflict);
  };
}
