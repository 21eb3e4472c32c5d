import type { Intent, OutboxEntry } from "../entries/outbox-entry.ts";
import type { OutboxWrites } from "./outbox-writes.ts";
import type { Conflict, PresentConflict } from "./present-conflict.ts";
import type { Slot } from "./slot.ts";

export type Notices = ReturnType<typeof createNotices>;

/** Executed mutations with a notice of the hub, kept until a person dismisses the notice. */
export function createNotices(deps: {
  loaded: readonly OutboxEntry[];
  writes: Pick<OutboxWrites, "keep" | "remove">;
  present: PresentConflict;
  conflict: (conflict: Conflict) => void;
  changed: (intents: readonly Intent[]) => void;
}) {
  const { writes, present, conflict, changed } = deps;
  const entries = new Map(deps.loaded.map((entry) => [entry.id, entry]));

  return {
    keep(slot: Slot): void {
      const { entry } = slot;
      entry.isDone = true;
      entries.set(entry.id, entry);
      writes.keep(slot);
      conflict(present(entry));
    },
    list: (): Conflict[] => [...entries.values()].map((entry) => present(entry)),
    has: (id: string) => entries.has(id),
    /** Removes a notice that a person has seen. */
    async dismiss(id: string): Promise<void> {
      await writes.remove(id);
      const entry = entries.get(id);
      entries.delete(id);
      if (entry !== undefined) changed([entry.intent]);
    },
  };
}
