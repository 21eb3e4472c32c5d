import type { DegradedReason, HealthReport } from "@comanda/protocol";
import type { Reachability } from "../back-office/reachability.ts";
import type { Upkeep } from "../upkeep.ts";
import type { EventStore } from "../forwarding/event-store.ts";
import type { LeaseBook } from "../leases/lease-book.ts";
import type { OrderStore } from "../orders/order-store.ts";
import type { UnappliedPaymentStore } from "../orders/unapplied-payment-store.ts";
import type { LossStore } from "../restores/loss-store.ts";
import { isoTime, type World } from "../world.ts";

/** Counts rows when asked; nobody keeps counters. */
export function createHealth(deps: {
  world: World;
  reachability: Reachability;
  hasCredentials: boolean;
  devAuth: boolean;
  events: EventStore;
  orders: OrderStore;
  unappliedPayments: UnappliedPaymentStore;
  losses: LossStore;
  leases: LeaseBook;
  upkeep: Upkeep;
  connectedTerminals: () => number;
  /** Null until a first API key exists. */
  webhookCounts: () => { pending: number; deadLettered: number } | null;
}): () => HealthReport {
  const { world, reachability, events, orders, leases } = deps;
  const startedAt = world.clock.monotonic();

  function reasons(attention: number): DegradedReason[] {
    const found: [DegradedReason, boolean][] = [
      ["back_office_unreachable", deps.hasCredentials && reachability.isUp() === false],
      ["no_credentials", !deps.hasCredentials],
      ["attention", attention + deps.unappliedPayments.countOpen() + deps.losses.countOpen() > 0],
      ["disk_low", deps.upkeep.isDiskLow()],
      ["data_file", deps.upkeep.isDataFileInDoubt()],
      ["dev_auth", deps.devAuth],
    ];
    return found.filter(([, holds]) => holds).map(([reason]) => reason);
  }

  return () => {
    const { pending, attention, forwarded } = events.counts();
    const found = reasons(attention);
    const lastContactAt = reachability.lastContactAt();
    const webhooks = deps.webhookCounts();
    return {
      status: found.length === 0 ? "ok" : "degraded",
      reasons: found,
      uptime: Math.round(world.clock.monotonic() - startedAt) / 1000,
      connectedTerminals: deps.connectedTerminals(),
      activeLeases: leases.count(),
      orders: orders.countActive(),
      pendingForward: pending,
      totalForwarded: forwarded,
      lastErpSync: lastContactAt === null ? null : isoTime(lastContactAt),
      ...(webhooks !== null && { webhookPending: webhooks.pending, webhookDeadLettered: webhooks.deadLettered }),
    };
  };
}
