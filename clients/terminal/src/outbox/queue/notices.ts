import type { HubOrders } from "../entries/hub-orders.ts";
import type { OutboxEntry } from "../entries/outbox-entry.ts";
import type { OutboxWrites } from "./outbox-writes.ts";
import { presentConflict, type Conflict } from "./present-conflict.ts";
import type { Slot } from "./slot.ts";

export type Notices = ReturnType<typeof createNotices>;

/** Mutations that were carried out, kept until a person has seen what the hub said about them. */
export function createNotices(deps: {
  loaded: readonly OutboxEntry[];
  writes: Pick<OutboxWrites, "keep" | "remove">;
  hubOrder: HubOrders;
  conflict: (conflict: Conflict) => void;
}) {
  const { writes, hubOrder, conflict } = deps;
  const entries = new Map(deps.loaded.map((entry) => [entry.id, entry]));

  return {
    keep(slot: Slot): void {
      const { entry } = slot;
      entry.isDone = true;
      entries.set(entry.id, entry);
      writes.keep(slot);
      conflict(presentConflict(entry, hubOrder));
    },
    list: (): Conflict[] => [...entries.values()].map((entry) => presentConflict(entry, hubOrder)),
    has: (id: string) => entries.has(id),
    /** Somebody has seen it. */
    async dismiss(id: string): Promise<void> {
      await writes.remove(id);
      entries.delete(id);
    },
  };
}
