import { findOtherOutboxes, type OtherOutbox } from "@comanda/terminal";
import { createStore } from "@comanda/ui/store.ts";

/** Outboxes of this device with changes for another hub than it works with now, or under a name that it had before. */
export const otherOutboxes = createStore<readonly OtherOutbox[]>([]);

/** Never rejects. */
export async function lookForOtherOutboxes(own: string): Promise<void> {
  otherOutboxes.set(await findOtherOutboxes(own).catch(() => []));
}
