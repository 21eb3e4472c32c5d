import { writeInSlices } from "../../changes/write-in-slices.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** Parks the pending deliveries of deleted and disabled subscriptions. Returns the ids of those subscriptions. */
export async function parkDeliveries({ changes, subscriptions, deliveries }: WebhookDeps): Promise<string[]> {
  const disabled = subscriptions.list().filter(({ isEnabled }) => !isEnabled);
  const ids = [...disabled.map(({ id }) => id), ...subscriptions.listDeletedIds()];
  for (const id of ids) {
    if (deliveries.hasPending(id)) await writeInSlices(changes, (tx) => deliveries.park(id, tx.now));
  }
  return ids;
}

/** Unparks the deliveries of a subscription while it is enabled. */
export async function unparkDeliveries(deps: WebhookDeps, id: string): Promise<void> {
  const { changes, subscriptions, deliveries } = deps;
  const isEnabled = (): boolean => subscriptions.get(id)?.isEnabled === true;
  if (!isEnabled() || !deliveries.hasParked(id)) return;
  await writeInSlices(changes, (tx) => (isEnabled() ? deliveries.unpark(id, tx.now) : 0));
}
