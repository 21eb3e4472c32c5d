import type { ChangeLog } from "../changes/change-log.ts";
import { writeInSlices } from "../changes/write-in-slices.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

interface ParkingDeps {
  changes: ChangeLog;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
}

/** Takes what waits for deleted and disabled subscriptions out of the queue; returns their ids. */
export async function parkDeliveries({ changes, subscriptions, deliveries }: ParkingDeps): Promise<string[]> {
  const disabled = subscriptions.list().filter(({ isEnabled }) => !isEnabled);
  const ids = [...disabled.map(({ id }) => id), ...subscriptions.deletedIds()];
  for (const id of ids) {
    if (deliveries.nextDueAt(id) !== null) await writeInSlices(changes, (tx) => deliveries.park(id, tx.now));
  }
  return ids;
}

/** Puts back what is parked for a subscription, as long as that is enabled. */
export async function unparkDeliveries(deps: ParkingDeps, id: string): Promise<void> {
  const { changes, subscriptions, deliveries } = deps;
  const isEnabled = (): boolean => subscriptions.get(id)?.isEnabled === true;
  if (!isEnabled() || !deliveries.hasParked(id)) return;
  await writeInSlices(changes, (tx) => (isEnabled() ? deliveries.unpark(id, tx.now) : 0));
}
