import { sentence } from "@comanda/protocol";
import type { BackOfficeClient } from "../back-office/client.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { OrderStore } from "../orders/store/order-store.ts";
import type { World } from "../platform/world.ts";
import type { EventOutcomes } from "./event-outcomes.ts";
import type { EventStore } from "./event-store.ts";

/** Dependencies for sending events, in batches and alone. */
export interface ForwardDeps {
  world: World;
  changes: ChangeLog;
  events: EventStore;
  orders: OrderStore;
  client: BackOfficeClient;
  own: OwnSession;
  outcomes: EventOutcomes;
  /** Whether the hub is stopping, so that no further event is sent. */
  isStopping: () => boolean;
}

export const DAMAGED = sentence("order_damaged");
