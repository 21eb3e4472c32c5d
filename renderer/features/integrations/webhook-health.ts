import type { OperatorWebhook } from "@comanda/protocol";
import type { Tone } from "../../components/status-mark.tsx";

export interface Health {
  name: "off" | "needsSecret" | "dead" | "failing" | "good" | "idle";
  tone: Tone;
  count: number;
}

/** How a subscription fares, the gravest first. */
export function webhookHealth(webhook: OperatorWebhook): Health {
  if (!webhook.enabled) return { name: "off", tone: "idle", count: 0 };
  if (webhook.needsSecret === true) return { name: "needsSecret", tone: "bad", count: 0 };
  if (webhook.deadLettered > 0) return { name: "dead", tone: "bad", count: webhook.deadLettered };
  if (webhook.consecutiveFailures > 0) return { name: "failing", tone: "warn", count: webhook.consecutiveFailures };
  if (webhook.lastSuccessAt !== null) return { name: "good", tone: "good", count: 0 };
  return { name: "idle", tone: "idle", count: 0 };
}
