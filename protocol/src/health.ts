import type { z } from "zod";
import type { OverviewReason } from "./operator/overview.ts";

export type DegradedReason = z.infer<typeof OverviewReason>;

/** GET /health. `uptime` in seconds. The webhook counters appear once the first API key exists. */
export interface HealthReport {
  status: "ok" | "degraded";
  reasons: DegradedReason[];
  uptime: number;
  connectedTerminals: number;
  activeLeases: number;
  /** Number of active orders. */
  orders: number;
  pendingForward: number;
  totalForwarded: number;
  /** ISO 8601 time of the last successful call to the back-office, or null. */
  lastErpSync: string | null;
  webhookPending?: number;
  webhookDeadLettered?: number;
}
