export type DegradedReason =
  | "back_office_unreachable"
  | "no_credentials"
  | "attention"
  | "disk_low"
  /** The daily backup cannot be made. */
  | "backup"
  | "data_file"
  | "dev_auth";

/** GET /health. `uptime` in seconds; the webhook counters appear once a first API key exists. */
export interface HealthReport {
  status: "ok" | "degraded";
  reasons: DegradedReason[];
  uptime: number;
  connectedTerminals: number;
  activeLeases: number;
  /** Active orders. */
  orders: number;
  pendingForward: number;
  totalForwarded: number;
  /** ISO 8601 time of the last successful call to the back-office, or null. */
  lastErpSync: string | null;
  webhookPending?: number;
  webhookDeadLettered?: number;
}
