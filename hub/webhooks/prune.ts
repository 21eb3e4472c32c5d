import type { ChangeLog } from "../changes/change-log.ts";
import { createLoop, type Loop } from "../loop.ts";
import type { World } from "../world.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

const DAY_MS = 86_400_000;
const KEEP_MS = 7 * DAY_MS;
const SLICE = 500;
/** A clock before this is wrong: nothing is thrown away by it. */
const PLAUSIBLE_SINCE = Date.parse("2026-01-01T00:00:00Z");

/** At the start and daily: forgets deliveries that were settled and are older than seven days, in small slices. */
export function createPruning(deps: {
  world: World;
  changes: ChangeLog;
  deliveries: DeliveryStore;
  subscriptions: SubscriptionStore;
}): Loop {
  const { world, changes, deliveries, subscriptions } = deps;
  return createLoop(world, "webhook pruning", DAY_MS, async () => {
    const now = world.clock.now();
    if (now < PLAUSIBLE_SINCE) return;
    while ((await changes.write(() => deliveries.prune(now - KEEP_MS, SLICE))) === SLICE) {
      // the next slice is a transaction of its own
    }
    await changes.write(() => subscriptions.forgetDeleted());
  });
}
