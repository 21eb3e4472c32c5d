import { HOUR_MS, type DataFileDoubtKind, type Overview } from "@comanda/protocol";
import type { Connection } from "../../lib/live.ts";

/** One thing to know now; the sentence on top says the most important one. */
export type Situation =
  | { name: "connecting" | "notRead" | "noTerminals" | "closed"; tone: "idle" | "warn" }
  | { name: "lost"; tone: "bad"; since: number }
  | { name: "dataFile"; tone: "bad"; problem: DataFileDoubtKind }
  | { name: "diskLow" | "devAuth" | "hubModeOff" | "refused" | "notConfigured"; tone: "bad" | "warn" }
  | { name: "unappliedPayments" | "keptChanges" | "losses" | "attention"; tone: "bad"; count: number }
  | { name: "backOfficeDown" | "internetDown"; tone: "warn"; since: string; pending: number }
  | { name: "setAside"; tone: "idle"; count: number; until: string }
  | { name: "arriving"; tone: "good"; count: number; left: number; lasted: number }
  | { name: "arrived"; tone: "good"; count: number; lasted: number }
  | { name: "backOfficeNeverReached"; tone: "warn"; address: string | null }
  | { name: "signedOut"; tone: "warn"; since: string }
  | { name: "unsent"; tone: "warn"; terminals: number; pending: number; payments: number; oldestAt: string | null }
  | { name: "unsentMoney"; tone: "bad"; terminals: number; pending: number; payments: number; oldestAt: string | null }
  | { name: "numbersRefused" | "receipts"; tone: "bad"; count: number }
  | { name: "contingency"; tone: "warn" }
  | { name: "proposals"; tone: "warn"; count: number }
  | { name: "numbersUsedUp"; tone: "bad"; types: string[] }
  | { name: "numbersLow"; tone: "warn"; type: string; left: number }
  | { name: "numbersExpiring"; tone: "warn"; type: string; expiresOn: string }
  | { name: "kitchenUnseen"; tone: "warn"; count: number; oldestAt: string | null }
  | { name: "webhooksDead" | "webhooksPaused"; tone: "warn"; count: number }
  | { name: "noBackup" | "backupFails"; tone: "warn" }
  | { name: "secondFolderFails"; tone: "warn"; since: string }
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
  keptChanges: "/back-office/attention",
  losses: "/system/backups",
  attention: "/back-office/attention",
  numbersRefused: "/back-office/fiscal",
  receipts: "/back-office/fiscal",
  contingency: "/back-office/fiscal",
  proposals: "/system/settings",
  numbersUsedUp: "/back-office/fiscal",
  numbersLow: "/back-office/fiscal",
  numbersExpiring: "/back-office/fiscal",
  backOfficeDown: "/back-office",
  internetDown: "/back-office",
  arriving: "/back-office",
  setAside: "/back-office/attention",
  signedOut: "/back-office",
  unsent: "/terminals",
  unsentMoney: "/terminals",
  kitchenUnseen: "/kitchen",
  webhooksDead: "/integrations/deliveries",
  webhooksPaused: "/integrations/webhooks",
  backupFails: "/system/backups",
  noBackup: "/system/backups",
  secondFolderFails: "/system/backups",
  noTerminals: "/terminals/connect",
};

const UNSEEN_MS = 2 * 60_000;
const UNSENT_MS = 60_000;
/** How long the sentence tells that what had waited for the line has arrived. */
const ARRIVED_MS = 10 * 60_000;
/** A drive is taken away for a while, and the PC of a synced folder restarts: by then somebody has to know. */
const SECOND_FOLDER_MS = 24 * HOUR_MS;
/** The hub makes a backup after 26 hours at the latest, and a large one takes a while. */
const BACKUP_MS = 28 * HOUR_MS;

/**
 * Everything there is to know now, the most important first: this page's own connection alone, because then nothing else is
 * known; otherwise the data file, money, the connections and the rest; with no trouble at all what is good to know.
 */
export function situationsOf(
  overview: Overview | undefined,
  connection: Connection,
  now: number,
): readonly [Situation, ...Situation[]] {
  if (connection.state === "lost") return [{ name: "lost", tone: "bad", since: connection.since }];
  if (overview === undefined) return [{ name: "connecting", tone: "idle" }];
  const [worst, ...others] = [...troublesOf(overview, now), ...setAsideOf(overview)];
  if (worst !== undefined) return [worst, ...others];
  return [calmOf(overview, now)];
}

function* troublesOf(overview: Overview, now: number): Generator<Situation> {
  const { backOffice, forward, fiscal, terminals, kitchen, webhooks, reasons } = overview;
  const problem = worstProblem(overview.dataFile.doubts);
  if (problem !== null) yield { name: "dataFile", tone: "bad", problem };
  if (overview.disk.low) yield { name: "diskLow", tone: "bad" };
  if (overview.losses > 0) yield { name: "losses", tone: "bad", count: overview.losses };
  const { unappliedPayments, keptChanges } = overview;
  if (unappliedPayments > 0) yield { name: "unappliedPayments", tone: "bad", count: unappliedPayments };
  if (keptChanges > 0) yield { name: "keptChanges", tone: "bad", count: keptChanges };
  if (forward.attention > 0) yield { name: "attention", tone: "bad", count: forward.attention };
  if (fiscal.failed > 0) yield { name: "numbersRefused", tone: "bad", count: fiscal.failed };
  if (fiscal.receipts > 0) yield { name: "receipts", tone: "bad", count: fiscal.receipts };
  const sequences = fiscal.sequences ?? [];
  const usedUp = sequences.filter(({ state }) => state === "used_up" || state === "expired");
  if (reasons.includes("fiscal_numbers")) {
    yield { name: "numbersUsedUp", tone: "bad", types: [...new Set(usedUp.map(({ type }) => type))] };
  }
  if (backOffice.state === "refused") yield { name: "refused", tone: "bad" };
  if (backOffice.state === "not_configured") yield { name: "notConfigured", tone: "warn" };
  if (backOffice.state === "unreachable" && !backOffice.everReached) {
    yield { name: "backOfficeNeverReached", tone: "warn", address: backOffice.address };
  } else if (backOffice.state === "unreachable") {
    const { since, cause } = backOffice;
    yield {
      name: cause === "no_network" ? "internetDown" : "backOfficeDown",
      tone: "warn",
      since,
      pending: forward.pending,
    };
  }
  if (backOffice.state === "signed_out") yield { name: "signedOut", tone: "warn", since: backOffice.since };
  if (reasons.includes("hub_mode_off") && backOffice.state !== "unreachable")
    yield { name: "hubModeOff", tone: "warn" };
  const { unsent } = terminals;
  if (unsent.pending > 0 && isOlder(unsent.oldestAt, UNSENT_MS, now)) {
    yield unsent.payments > 0
      ? { name: "unsentMoney", tone: "bad", ...unsent }
      : { name: "unsent", tone: "warn", ...unsent };
  }
  if (kitchen.unseen > 0 && isOlder(kitchen.unseenAt, UNSEEN_MS, now)) {
    yield { name: "kitchenUnseen", tone: "warn", count: kitchen.unseen, oldestAt: kitchen.unseenAt };
  }
  if (overview.proposals > 0) yield { name: "proposals", tone: "warn", count: overview.proposals };
  if (fiscal.isContingency) yield { name: "contingency", tone: "warn" };
  if (reasons.includes("dev_auth")) yield { name: "devAuth", tone: "warn" };
  const low = sequences.find(({ state }) => state === "low");
  if (low !== undefined) yield { name: "numbersLow", tone: "warn", type: low.type, left: low.left };
  const expiring = sequences.find(({ state }) => state === "expiring");
  if (expiring !== undefined && expiring.expiresOn !== null) {
    yield { name: "numbersExpiring", tone: "warn", type: expiring.type, expiresOn: expiring.expiresOn };
  }
  if (webhooks !== null && webhooks.receiversPaused > 0) {
    yield { name: "webhooksPaused", tone: "warn", count: webhooks.receiversPaused };
  }
  if (webhooks !== null && webhooks.deadLettered > 0) {
    yield { name: "webhooksDead", tone: "warn", count: webhooks.deadLettered };
  }
  const upFor = now - Date.parse(overview.hub.startedAt);
  if (reasons.includes("backup")) yield { name: "backupFails", tone: "warn" };
  else if (upFor > BACKUP_MS && isOlder(overview.lastBackupAt, BACKUP_MS, now))
    yield { name: "noBackup", tone: "warn" };
  const { second } = overview.backups;
  if (second.since !== null && isOlder(second.since, SECOND_FOLDER_MS, now)) {
    yield { name: "secondFolderFails", tone: "warn", since: second.since };
  }
}

/** What a manager has put off: known, and nothing to do now. */
function setAsideOf({ forward: { setAside, setAsideUntil } }: Overview): Situation[] {
  if (setAside === 0 || setAsideUntil === null) return [];
  return [{ name: "setAside", tone: "idle", count: setAside, until: setAsideUntil }];
}

function calmOf(overview: Overview, now: number): Situation {
  const { backOffice, terminals, sessionOpen } = overview;
  const { lastOutage } = backOffice;
  if (lastOutage !== null && lastOutage.saved > 0) {
    const { from, until, saved, left, arrivedAt } = lastOutage;
    const lasted = Date.parse(until) - Date.parse(from);
    if (arrivedAt === null) return { name: "arriving", tone: "good", count: saved, left, lasted };
    if (!isOlder(arrivedAt, ARRIVED_MS, now)) return { name: "arrived", tone: "good", count: saved, lasted };
  }
  if (sessionOpen === null) return { name: "notRead", tone: "idle" };
  if (!sessionOpen) return { name: "closed", tone: "idle" };
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
