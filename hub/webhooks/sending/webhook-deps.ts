import type { ChangeLog } from "../../changes/change-log.ts";
import type { World } from "../../platform/world.ts";
import type { DeliveryStore } from "../deliveries/delivery-store.ts";
import type { GatheredStore } from "../deliveries/gathered-store.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";

export interface WebhookDeps {
  world: World;
  changes: ChangeLog;
  subscriptions: SubscriptionStore;
  deliveries: DeliveryStore;
  gathered: GatheredStore;
}
