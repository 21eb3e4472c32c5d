import { findOtherOutboxes, type OtherOutbox } from "@comanda/terminal";
import { createStore } from "@comanda/ui/store.ts";

/** Outboxes of this device with unsent changes for another hub, or under an earlier name of the device. */
export const otherOutboxes = createStore<readonly OtherOutbox[]>([]);

/** Finds the other outboxes. Never rejects. */
export async function lookForOtherOutboxes(own: string): Promise<void> {
  otherOutboxes.set(await findOtherOutboxes(own).catch(() => []));
}
