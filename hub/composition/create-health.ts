import type { HealthReport } from "@comanda/protocol";
import type { BackOffice } from "./create-back-office.ts";
import type { Background } from "./create-background.ts";
import type { Stores } from "../stores/create-stores.ts";
import { createHealth } from "../http/health.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { TerminalServer } from "../terminals/terminal-server.ts";
import { countWaiting } from "../webhooks/count-waiting.ts";

/** The health report of the hub. */
export function createHubHealth({
  world,
  config,
  stores,
  backOffice,
  background,
  terminals,
}: {
  world: World;
  config: HubConfig;
  stores: Stores;
  backOffice: BackOffice;
  background: Background;
  terminals: Pick<TerminalServer, "count">;
}): () => HealthReport {
  const { orders, counts, leases, watch, keys, subscriptions, deliveries, gathered } = stores;
  const { reachability, own, pos } = backOffice;
  const { maintenance, dailyBackups } = background.storage;
  const waitingForWebhooks = countWaiting({ subscriptions, deliveries, gathered });
  return createHealth({
    world,
    reachability,
    own,
    devAuth: config.devAuth,
    isHubModeOff: () => pos.config()?.value.hubMode === false,
    orders,
    counts,
    leases,
    maintenance,
    dailyBackups,
    watch,
    ncfSequences: background.ncfSequences,
    connectedTerminals: terminals.count,
    webhookCounts: () => (keys.hasHadOne() ? waitingForWebhooks.counts() : null),
    areReceiversPaused: () => subscriptions.paused(world.clock.now()).length > 0,
  });
}
