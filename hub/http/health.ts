import type { DegradedReason, HealthReport, NcfSequenceStatus } from "@comanda/protocol";
import type { OwnSession } from "../back-office/own-session.ts";
import type { Reachability } from "../back-office/reachability.ts";
import { asLastRead } from "../db/rows/as-last-read.ts";
import type { DailyBackups } from "../maintenance/daily-backups.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";
import { attentionOf } from "../forwarding/event-store.ts";
import { lacksNumbers } from "@comanda/rules";
import { isoTimeOrNull, type World } from "../platform/world.ts";
import type { Stores } from "../stores/create-stores.ts";

/** Returns a function that reads the health report; each call counts rows. */
export function createHealth(
  deps: Pick<Stores, "orders" | "counts" | "leases" | "watch"> & {
    world: World;
    reachability: Reachability;
    own: Pick<OwnSession, "hasCredentials" | "refusal">;
    devAuth: boolean;
    /** Whether the back-office's configuration says that this hub takes no new orders. */
    isHubModeOff: () => boolean;
    maintenance: Maintenance;
    dailyBackups: Pick<DailyBackups, "isFailing">;
    /** Null if the back-office reports none. */
    ncfSequences: () => NcfSequenceStatus[] | null;
    connectedTerminals: () => number;
    areReceiversPaused: () => boolean;
    /** Null until the first API key exists. */
    webhookCounts: () => { pending: number; deadLettered: number } | null;
  },
): () => HealthReport {
  const { world, reachability, counts, orders, leases } = deps;
  const startedAt = world.clock.monotonic();
  const activeOrders = asLastRead(orders.countActive, 0);
  const webhookCounts = asLastRead(deps.webhookCounts, null);

  function reasons(): DegradedReason[] {
    const found: [DegradedReason, boolean][] = [
      ["back_office_unreachable", deps.own.hasCredentials && reachability.isUp() === false],
      ["no_credentials", !deps.own.hasCredentials],
      ["credentials_refused", deps.own.refusal() !== null],
      ["attention", attentionOf(counts) > 0],
      ["disk_low", deps.maintenance.isDiskLow()],
      ["backup", deps.dailyBackups.isFailing()],
      ["data_file", deps.watch.hasProblem()],
      ["hub_mode_off", deps.isHubModeOff()],
      ["dev_auth", deps.devAuth],
      ["fiscal_numbers", lacksNumbers(deps.ncfSequences())],
      ["webhooks", deps.areReceiversPaused()],
    ];
    return found.filter(([, holds]) => holds).map(([reason]) => reason);
  }

  return () => {
    const { pending, forwarded } = counts.events();
    const active = activeOrders();
    const webhooks = webhookCounts();
    // Read last: the counts above may have detected damage.
    const found = reasons();
    return {
      status: found.length === 0 ? "ok" : "degraded",
      reasons: found,
      uptime: Math.round(world.clock.monotonic() - startedAt) / 1000,
      connectedTerminals: deps.connectedTerminals(),
      activeLeases: leases.count(),
      orders: active,
      pendingForward: pending,
      totalForwarded: forwarded,
      lastErpSync: isoTimeOrNull(reachability.lastContactAt()),
      ...(webhooks !== null && { webhookPending: webhooks.pending, webhookDeadLettered: webhooks.deadLettered }),
    };
  };
}
