import type { KitchenTicket, StoredOrder } from "@comanda/protocol";
import type { LocalOrder } from "../src/orders/local-order.ts";
import type { OutboxEntry } from "../src/outbox/entries/outbox-entry.ts";
import { createOutboxQueue } from "../src/outbox/queue/outbox-queue.ts";
import { createHubState } from "../src/state/hub/hub-state.ts";
import { createLocalState } from "../src/state/replay/local-state.ts";
import type { ReplayKnowledge } from "../src/state/replay/rule-context.ts";
import { syncPage } from "./builders.ts";

interface OnHub {
  orders?: StoredOrder[];
  tickets?: KitchenTicket[];
}

/** The local state of a terminal with these mutations in its outbox, and these orders and tickets on its hub. */
export function localStateOn(
  { orders = [], tickets = [] }: OnHub,
  entries: readonly OutboxEntry[] = [],
  knowledge: Partial<ReplayKnowledge> = {},
) {
  const hub = createHubState(() => 0);
  hub.sync(syncPage({ orders, tickets }));
  const queue = createOutboxQueue(entries, hub.holdersOf);
  const local = createLocalState(hub, queue, {
    deviceId: "tablet-1",
    userName: () => "Ana",
    menu: () => null,
    takeBackMs: () => 30_000,
    hubTime: Date.parse,
    ...knowledge,
  });
  return { hub, queue, local };
}

/** An order as that terminal shows it. */
export function shownOrder(
  posReference: string,
  stored: StoredOrder | undefined,
  entries: readonly OutboxEntry[],
  menu: ReturnType<ReplayKnowledge["menu"]> = null,
): LocalOrder | undefined {
  return localStateOn({ orders: stored === undefined ? [] : [stored] }, entries, { menu: () => menu }).local.get(
    posReference,
  );
}
