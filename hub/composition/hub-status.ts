import { isActive, type HubMessage, type NcfSequenceStatus, type StreamTopic } from "@comanda/protocol";
import type { Change } from "../changes/change.ts";
import type { Reachability } from "../back-office/reachability.ts";
import { scarceNumbers } from "@comanda/rules";
import type { DataFileWatch } from "../db/integrity/data-file-watch.ts";
import { attentionOf, type ReportCounts } from "../forwarding/event-store.ts";
import type { Maintenance } from "../maintenance/maintenance.ts";

/** Reads HUB_STATUS, the hub's state for terminals. */
export function readHubStatus({
  counts,
  reachability,
  maintenance,
  watch,
  ncfSequences,
}: {
  counts: ReportCounts;
  reachability: Reachability;
  maintenance: Maintenance;
  watch: Pick<DataFileWatch, "isDiskFailing">;
  ncfSequences: () => NcfSequenceStatus[] | null;
}): HubMessage {
  const { pending } = counts.events();
  const fiscalNumbers = scarceNumbers(ncfSequences());
  return {
    type: "HUB_STATUS",
    backOffice: reachability.isUp() === true ? "up" : "down",
    pendingForward: pending,
    attention: attentionOf(counts),
    diskLow: maintenance.isDiskLow() || watch.isDiskFailing(),
    ...(fiscalNumbers.length > 0 && { fiscalNumbers }),
  };
}

export function affectsStatus(change: Change): boolean {
  if (change.kind === "order.stored") return !isActive(change.order.snapshot.status);
  return change.kind === "notice" && change.notice.topics.some((topic) => counted.has(topic));
}

/** Topics of the screens' lists whose changes affect the counts in HUB_STATUS. */
const counted: ReadonlySet<StreamTopic> = new Set(["payments", "kept_changes", "audit", "losses", "fiscal"]);
