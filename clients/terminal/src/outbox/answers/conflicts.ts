import type { OrderContent } from "../../orders/order-content.ts";
import type { Intake, Mutation, Signature } from "../sending/intake.ts";
import type { Notices } from "../queue/notices.ts";
import { ordersOf, type Intent } from "../entries/outbox-entry.ts";
import type { OutboxQueue } from "../queue/outbox-queue.ts";
import type { OutboxWrites } from "../queue/outbox-writes.ts";
import type { Conflict, PresentConflict } from "../queue/present-conflict.ts";
import type { Renew } from "../entries/renew-intent.ts";
import type { Settling } from "./settling.ts";
import type { Slot } from "../queue/slot.ts";

/** Conflicts that wait for a person's decision. Methods with an id throw TerminalRefusal NOT_FOUND if the conflict is gone. */
export function createConflicts(deps: {
  queue: OutboxQueue;
  writes: Pick<OutboxWrites, "remove">;
  intake: Pick<Intake, "add" | "entryOf" | "replace">;
  settling: Pick<Settling, "discard" | "giveUp">;
  notices: Notices;
  present: PresentConflict;
  renew: Renew;
  /** Sends what can be sent now. */
  pump: () => void;
}) {
  const { queue, writes, intake, settling, notices, present, renew, pump } = deps;
  const resubmit = (id: string, intent: Intent, signature: Signature = {}): Mutation =>
    intake.replace(queue.refused(id), intent, signature);

  return {
    /** Refused mutations with both states, until they are retried or discarded, and the hub's notices. */
    list(): Conflict[] {
      const refused = queue.slots().filter(({ entry }) => entry.refusal !== null);
      const behind = (slot: Slot) => queue.waitingFor(slot).map(({ entry }) => entry.intent);
      return [...refused.map((slot) => present(slot.entry, behind(slot))), ...notices.list()];
    },
    /**
     * Sends a refused mutation again, based on the hub's current state. On collisions mine wins, or `resolved`. Mutations that
     * it needs `first` are sent before it and before everything that waits for it. Throws TerminalRefusal NOT_FOUND if all its
     * lines were moved by others.
     */
    retry(
      id: string,
      resolved: ReadonlyMap<string, OrderContent> = new Map(),
      signature: Signature = {},
      first: readonly Intent[] = [],
    ): Mutation {
      const { entry } = queue.refused(id);
      const renewed = renew(entry, { resolved });
      // A place between those of two mutations.
      for (const intent of first) intake.add({ ...intake.entryOf(intent, signature), place: entry.place - 0.5 });
      return resubmit(id, renewed, signature);
    },
    resubmit,
    async discard(id: string): Promise<void> {
      if (notices.has(id)) return notices.dismiss(id);
      const slot = queue.refused(id);
      await writes.remove(id);
      settling.giveUp(slot);
      pump();
    },
    /** Discards all queued mutations of an order. */
    abandon(posReference: string): void {
      for (const slot of queue.slots()) {
        if (ordersOf(slot.entry.intent).includes(posReference)) settling.discard(slot);
      }
    },
  };
}
