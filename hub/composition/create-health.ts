import type { HealthReport } from "@comanda/protocol";
import type { Core } from "./create-core.ts";
import { createHealth } from "../http/health.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";
import type { TerminalServer } from "../terminals/terminal-server.ts";
import { countWaiting } from "../webhooks/count-waiting.ts";

export function createHubHealth(
  deps: Pick<Core, "stores" | "backOffice" | "background"> & {
    world: World;
    config: HubConfig;
    terminals: Pick<TerminalServer, "count">;
  },
): () => HealthReport {
  const { world, config, stores, backOffice, background, terminals } = deps;
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
    areReceiversPaused: () => subscriptions.listPaused(world.clock.now()).length > 0,
  });
}
