import type { ChangeLog } from "../changes/change-log.ts";
import type { World } from "../platform/world.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { GatheredStore } from "./gathered-store.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

export interface WebhookDeps {
  world: World;
  changes: ChangeLog;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  gathered: GatheredStore;
}
