import { HOUR_MS, type DataFileDoubtKind, type Overview } from "@comanda/protocol";
import type { Connection } from "../../lib/live.ts";

/** The most important thing to know now, which the one sentence on top says. */
export type Situation =
  | { name: "connecting" | "noTerminals" | "closed"; tone: "idle" | "warn" }
  | { name: "lost"; tone: "bad"; since: number }
  | { name: "dataFile"; tone: "bad"; problem: DataFileDoubtKind }
  | { name: "diskLow" | "devAuth" | "hubModeOff" | "refused" | "notConfigured"; tone: "bad" | "warn" }
  | { name: "unappliedPayments" | "losses" | "attention"; tone: "bad"; count: number }
  | { name: "backOfficeDown"; tone: "warn"; since: string; pending: number }
  | { name: "signedOut"; tone: "warn"; since: string }
  | { name: "unsent"; tone: "warn"; terminals: number; pending: number; payments: number; oldestAt: string | null }
  | { name: "unsentMoney"; tone: "bad"; terminals: number; pending: number; payments: number; oldestAt: string | null }
  | { name: "numbersRefused"; tone: "bad"; count: number }
  | { name: "numbersUsedUp"; tone: "bad"; types: string[] }
  | { name: "numbersLow"; tone: "warn"; type: string; left: number }
  | { name: "numbersExpiring"; tone: "warn"; type: string; expiresOn: string }
  | { name: "kitchenUnseen"; tone: "warn"; count: number; oldestAt: string | null }
  | { name: "webhooksDead"; tone: "warn"; count: number }
  | { name: "noBackup" | "backupFails"; tone: "warn" }
  | { name: "good"; tone: "good"; terminals: number; lastSyncAt: string | null };

/** Where the button beside the sentence leads. */
export const remedyOf: Partial<Record<Situation["name"], string>> = {
  dataFile: "/system/data",
  diskLow: "/system/data",
  devAuth: "/system/settings",
  hubModeOff: "/back-office",
  refused: "/back-office",
  notConfigured: "/system/settings",
  unappliedPayments: "/back-office/attention",
  losses: "/system/backups",
  attention: "/back-office/attention",
  numbersRefused: "/back-office/fiscal",
  numbersUsedUp: "/back-office/fiscal",
  numbersLow: "/back-office/fiscal",
  numbersExpiring: "/back-office/fiscal",
  backOfficeDown: "/back-office",
  signedOut: "/back-office",
  unsent: "/terminals",
  unsentMoney: "/terminals",
  kitchenUnseen: "/kitchen",
  webhooksDead: "/integrations/deliveries",
  backupFails: "/system/backups",
  noBackup: "/system/backups",
  noTerminals: "/terminals/connect",
};

const UNSEEN_MS = 2 * 60_000;
const UNSENT_MS = 60_000;
/** The hub makes a backup after 26 hours at the latest, and a large one takes a while. */
const BACKUP_MS = 28 * HOUR_MS;

/** Picks the most important situation: first this page's own connection, then money, the other connections, and the rest. */
export function situationOf(overview: Overview | undefined, connection: Connection, now: number): Situation {
  if (connection.state === "lost") return { name: "lost", tone: "bad", since: connection.since };
  if (overview === undefined) return { name: "connecting", tone: "idle" };
  const { backOffice, forward, terminals, kitchen, webhooks } = overview;
  const problem = worstProblem(overview.dataFile.doubts);
  if (problem !== null) return { name: "dataFile", tone: "bad", problem };
  if (overview.disk.low) return { name: "diskLow", tone: "bad" };
  if (overview.losses > 0) return { name: "losses", tone: "bad", count: overview.losses };
  if (overview.unappliedPayments > 0) {
    return { name: "unappliedPayments", tone: "bad", count: overview.unappliedPayments };
  }
  if (forward.attention > 0) return { name: "attention", tone: "bad", count: forward.attention };
  const { fiscal } = overview;
  if (fiscal.failed > 0) return { name: "numbersRefused", tone: "bad", count: fiscal.failed };
  const sequences = fiscal.sequences ?? [];
  const usedUp = sequences.filter(({ state }) => state === "used_up" || state === "expired");
  if (overview.reasons.includes("fiscal_numbers")) {
    return { name: "numbersUsedUp", tone: "bad", types: [...new Set(usedUp.map(({ type }) => type))] };
  }
  if (backOffice.state === "refused") return { name: "refused", tone: "bad" };
  if (backOffice.state === "not_configured") return { name: "notConfigured", tone: "warn" };
  if (backOffice.state === "unreachable") {
    return { name: "backOfficeDown", tone: "warn", since: backOffice.since, pending: forward.pending };
  }
  if (backOffice.state === "signed_out") return { name: "signedOut", tone: "warn", since: backOffice.since };
  if (overview.reasons.includes("hub_mode_off")) return { name: "hubModeOff", tone: "warn" };
  const { unsent } = terminals;
  if (unsent.pending > 0 && isOlder(unsent.oldestAt, UNSENT_MS, now)) {
    return unsent.payments > 0
      ? { name: "unsentMoney", tone: "bad", ...unsent }
      : { name: "unsent", tone: "warn", ...unsent };
  }
  if (kitchen.unseen > 0 && isOlder(kitchen.oldestAt, UNSEEN_MS, now)) {
    return { name: "kitchenUnseen", tone: "warn", count: kitchen.unseen, oldestAt: kitchen.oldestAt };
  }
  if (overview.reasons.includes("dev_auth")) return { name: "devAuth", tone: "warn" };
  const low = sequences.find(({ state }) => state === "low");
  if (low !== undefined) return { name: "numbersLow", tone: "warn", type: low.type, left: low.left };
  const expiring = sequences.find(({ state }) => state === "expiring");
  if (expiring !== undefined && expiring.expiresOn !== null) {
    return { name: "numbersExpiring", tone: "warn", type: expiring.type, expiresOn: expiring.expiresOn };
  }
  if (webhooks !== null && webhooks.deadLettered > 0) {
    return { name: "webhooksDead", tone: "warn", count: webhooks.deadLettered };
  }
  if (overview.reasons.includes("backup")) return { name: "backupFails", tone: "warn" };
  const upFor = now - Date.parse(overview.hub.startedAt);
  if (upFor > BACKUP_MS && isOlder(overview.lastBackupAt, BACKUP_MS, now)) return { name: "noBackup", tone: "warn" };
  if (!overview.sessionOpen) return { name: "closed", tone: "idle" };
  if (terminals.connected === 0) return { name: "noTerminals", tone: "idle" };
  return { name: "good", tone: "good", terminals: terminals.connected, lastSyncAt: backOffice.lastSyncAt };
}

/** A disk that cannot be written stops service; the others concern what is stored already. */
const problemsByRank: readonly DataFileDoubtKind[] = ["disk_failed", "corrupt", "lost_changes", "damaged_records"];

function worstProblem(problems: readonly DataFileDoubtKind[]): DataFileDoubtKind | null {
  return problemsByRank.find((kind) => problems.includes(kind)) ?? null;
}

function isOlder(at: string | null, ms: number, now: number): boolean {
  return at === null || now - Date.parse(at) > ms;
}
