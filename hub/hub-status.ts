import { isActive, type HubMessage } from "@comanda/protocol";
import type { Change } from "./changes/change.ts";
import type { Background } from "./create-background.ts";
import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "./create-stores.ts";
import { asLastRead } from "./db/as-last-read.ts";
import { noEvents } from "./forwarding/event-store.ts";

/** Reads HUB_STATUS, as terminals see the hub. */
export function createHubStatus({ events, unappliedPayments, losses }: Stores, { reachability }: BackOffice) {
  const eventCounts = asLastRead(events.counts, noEvents);
  const openPayments = asLastRead(unappliedPayments.countOpen, 0);
  return ({ maintenance }: Background): HubMessage => {
    const { pending, attention } = eventCounts();
    return {
      type: "HUB_STATUS",
      backOffice: reachability.isUp() === true ? "up" : "down",
      pendingForward: pending,
      attention: attention + openPayments() + losses.countOpen(),
      diskLow: maintenance.isDiskLow(),
    };
  };
}

/** Whether a change can affect HUB_STATUS. */
export function affectsStatus(change: Change): boolean {
  if (change.kind === "order.stored") return !isActive(change.order.snapshot.status);
  return (
    change.kind === "notice" && change.notice.topics.some((topic) => ["payments", "audit", "losses"].includes(topic))
  );
}
