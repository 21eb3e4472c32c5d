import { writeInSlices } from "../../changes/write-in-slices.ts";
import type { WebhookDeps } from "./webhook-deps.ts";

/** Takes what waits for deleted and disabled subscriptions out of the queue; returns their ids. */
export async function parkDeliveries({ changes, subscriptions, deliveries }: WebhookDeps): Promise<string[]> {
  const disabled = subscriptions.list().filter(({ isEnabled }) => !isEnabled);
  const ids = [...disabled.map(({ id }) => id), ...subscriptions.deletedIds()];
  for (const id of ids) {
    if (deliveries.hasPending(id)) await writeInSlices(changes, (tx) => deliveries.park(id, tx.now));
  }
  return ids;
}

/** Puts back what is parked for a subscription, as long as that is enabled. */
export async function unparkDeliveries(deps: WebhookDeps, id: string): Promise<void> {
  const { changes, subscriptions, deliveries } = deps;
  const isEnabled = (): boolean => subscriptions.get(id)?.isEnabled === true;
  if (!isEnabled() || !deliveries.hasParked(id)) return;
  await writeInSlices(changes, (tx) => (isEnabled() ? deliveries.unpark(id, tx.now) : 0));
}
