import { HOUR_MS, type DataFileDoubtKind, type Overview } from "@comanda/protocol";
import type { Connection } from "../../lib/live.ts";

interface Kind {
  tone: "good" | "warn" | "bad" | "idle";
  /** The target of the button beside the sentence. */
  remedy?: string;
}

const kinds = {
  lost: { tone: "bad" },
  connecting: { tone: "idle" },
  dataFile_disk_failed: { tone: "bad", remedy: "/system/data" },
  dataFile_corrupt: { tone: "bad", remedy: "/system/data" },
  dataFile_lost_changes: { tone: "bad", remedy: "/system/data" },
  dataFile_damaged_records: { tone: "bad", remedy: "/system/data" },
  diskLow: { tone: "bad", remedy: "/system/data" },
  losses: { tone: "bad", remedy: "/system/backups" },
  unappliedPayments: { tone: "bad", remedy: "/back-office/attention" },
  keptChanges: { tone: "bad", remedy: "/back-office/attention" },
  attention: { tone: "bad", remedy: "/back-office/attention" },
  numbersRefused: { tone: "bad", remedy: "/back-office/fiscal" },
  receipts: { tone: "bad", remedy: "/back-office/fiscal" },
  numbersUsedUp: { tone: "bad", remedy: "/back-office/fiscal" },
  refused: { tone: "bad", remedy: "/back-office" },
  notConfigured: { tone: "warn", remedy: "/system/settings" },
  backOfficeNeverReached: { tone: "warn" },
  internetDown: { tone: "warn", remedy: "/back-office" },
  backOfficeDown: { tone: "warn", remedy: "/back-office" },
  signedOut: { tone: "warn", remedy: "/back-office" },
  hubModeOff: { tone: "warn", remedy: "/back-office" },
  unsentMoney: { tone: "bad", remedy: "/terminals" },
  unsent: { tone: "warn", remedy: "/terminals" },
  kitchenUnseen: { tone: "warn", remedy: "/kitchen" },
  proposals: { tone: "warn", remedy: "/system/settings" },
  contingency: { tone: "warn", remedy: "/back-office/fiscal" },
  devAuth: { tone: "warn", remedy: "/system/settings" },
  numbersLow: { tone: "warn", remedy: "/back-office/fiscal" },
  numbersExpiring: { tone: "warn", remedy: "/back-office/fiscal" },
  webhooksPaused: { tone: "warn", remedy: "/integrations/webhooks" },
  webhooksDead: { tone: "warn", remedy: "/integrations/deliveries" },
  backupFails: { tone: "warn", remedy: "/system/backups" },
  noBackup: { tone: "warn", remedy: "/system/backups" },
  secondFolderFails: { tone: "warn", remedy: "/system/backups" },
  setAside: { tone: "idle", remedy: "/back-office/attention" },
  arriving: { tone: "good", remedy: "/back-office" },
  arrived: { tone: "good" },
  notRead: { tone: "idle" },
  closed: { tone: "idle" },
  noTerminals: { tone: "idle", remedy: "/terminals/connect" },
  good: { tone: "good" },
} as const satisfies Record<string, Kind>;

type Name = keyof typeof kinds;

/** The values in a sentence. */
interface Facts {
  count?: number;
  terminals?: number;
  pending?: number;
  payments?: number;
  left?: number;
  type?: string;
  types?: readonly string[];
  /** In ms since 1970 for this page's connection, else ISO 8601. */
  since?: string | number;
  oldestAt?: string | null;
  /** How long it lasted, in ms. */
  lasted?: number;
  until?: string;
  expiresOn?: string;
  address?: string | null;
  lastSyncAt?: string | null;
}

/** Something to know now. The sentence at the top shows the most important situation. */
export interface Situation extends Facts {
  name: Name;
  tone: Kind["tone"];
}

function situation(name: Name, facts: Facts = {}): Situation {
  return { name, tone: kinds[name].tone, ...facts };
}

/** Returns the target of the button beside the sentence. */
export function remedyOf(name: Name): string | undefined {
  const { remedy }: Kind = kinds[name];
  return remedy;
}

const UNSEEN_MS = 2 * 60_000;
const UNSENT_MS = 60_000;
/** How long the sentence says that delayed orders have arrived, in ms. */
const ARRIVED_MS = 10 * 60_000;
/** Allows for a drive that is unplugged for a while, and for a restart of the PC with a synced folder. */
const SECOND_FOLDER_MS = 24 * HOUR_MS;
/** The hub makes a backup after 26 hours at the latest, and a large backup takes a while. */
const BACKUP_MS = 28 * HOUR_MS;

/**
 * Returns everything to know now, the most important first. If this page's connection is lost, nothing else is known. Otherwise
 * the order is: data file, money, connections, the rest. Without trouble, returns the calm state.
 */
export function situationsOf(
  overview: Overview | undefined,
  connection: Connection,
  now: number,
): readonly [Situation, ...Situation[]] {
  if (connection.state === "lost") return [situation("lost", { since: connection.since })];
  if (overview === undefined) return [situation("connecting")];
  const [worst, ...others] = [...troublesOf(overview, now), ...setAsideOf(overview)];
  if (worst !== undefined) return [worst, ...others];
  return [calmOf(overview, now)];
}

function* troublesOf(overview: Overview, now: number): Generator<Situation> {
  const { backOffice, forward, fiscal, terminals, kitchen, webhooks, reasons } = overview;
  const doubt = doubtsByRank.find((kind) => overview.dataFile.doubts.includes(kind));
  if (doubt !== undefined) yield situation(`dataFile_${doubt}`);
  if (overview.disk.low) yield situation("diskLow");
  if (overview.losses > 0) yield situation("losses", { count: overview.losses });
  const { unappliedPayments, keptChanges } = overview;
  if (unappliedPayments > 0) yield situation("unappliedPayments", { count: unappliedPayments });
  if (keptChanges > 0) yield situation("keptChanges", { count: keptChanges });
  if (forward.attention > 0) yield situation("attention", { count: forward.attention });
  if (fiscal.failed > 0) yield situation("numbersRefused", { count: fiscal.failed });
  if (fiscal.receipts > 0) yield situation("receipts", { count: fiscal.receipts });
  const sequences = fiscal.sequences ?? [];
  const usedUp = sequences.filter(({ state }) => state === "used_up" || state === "expired");
  if (reasons.includes("fiscal_numbers")) {
    yield situation("numbersUsedUp", { types: [...new Set(usedUp.map(({ type }) => type))] });
  }
  if (backOffice.state === "refused") yield situation("refused");
  if (backOffice.state === "not_configured") yield situation("notConfigured");
  if (backOffice.state === "unreachable" && !backOffice.everReached) {
    yield situation("backOfficeNeverReached", { address: backOffice.address });
  } else if (backOffice.state === "unreachable") {
    const { since, cause } = backOffice;
    yield situation(cause === "no_network" ? "internetDown" : "backOfficeDown", { since, pending: forward.pending });
  }
  if (backOffice.state === "signed_out") yield situation("signedOut", { since: backOffice.since });
  if (reasons.includes("hub_mode_off") && backOffice.state !== "unreachable") yield situation("hubModeOff");
  const { unsent } = terminals;
  if (unsent.pending > 0 && isOlder(unsent.oldestAt, UNSENT_MS, now)) {
    yield situation(unsent.payments > 0 ? "unsentMoney" : "unsent", unsent);
  }
  if (kitchen.unseen > 0 && isOlder(kitchen.unseenAt, UNSEEN_MS, now)) {
    yield situation("kitchenUnseen", { count: kitchen.unseen, oldestAt: kitchen.unseenAt });
  }
  if (overview.proposals > 0) yield situation("proposals", { count: overview.proposals });
  if (fiscal.isContingency) yield situation("contingency");
  if (reasons.includes("dev_auth")) yield situation("devAuth");
  const low = sequences.find(({ state }) => state === "low");
  if (low !== undefined) yield situation("numbersLow", { type: low.type, left: low.left });
  const expiring = sequences.find(({ state }) => state === "expiring");
  if (expiring !== undefined && expiring.expiresOn !== null) {
    yield situation("numbersExpiring", { type: expiring.type, expiresOn: expiring.expiresOn });
  }
  if (webhooks !== null && webhooks.receiversPaused > 0) {
    yield situation("webhooksPaused", { count: webhooks.receiversPaused });
  }
  if (webhooks !== null && webhooks.deadLettered > 0) {
    yield situation("webhooksDead", { count: webhooks.deadLettered });
  }
  const upFor = now - Date.parse(overview.hub.startedAt);
  if (reasons.includes("backup")) yield situation("backupFails");
  else if (upFor > BACKUP_MS && isOlder(overview.lastBackupAt, BACKUP_MS, now)) yield situation("noBackup");
  const { second } = overview.backups;
  if (second.since !== null && isOlder(second.since, SECOND_FOLDER_MS, now)) {
    yield situation("secondFolderFails", { since: second.since });
  }
}

/** Returns the orders that a manager has put off: known, and nothing to do now. */
function setAsideOf({ forward: { setAside, setAsideUntil } }: Overview): Situation[] {
  if (setAside === 0 || setAsideUntil === null) return [];
  return [situation("setAside", { count: setAside, until: setAsideUntil })];
}

function calmOf(overview: Overview, now: number): Situation {
  const { backOffice, terminals, sessionOpen } = overview;
  const { lastOutage } = backOffice;
  if (lastOutage !== null && lastOutage.saved > 0) {
    const { from, until, saved, left, arrivedAt } = lastOutage;
    const lasted = Date.parse(until) - Date.parse(from);
    if (arrivedAt === null) return situation("arriving", { count: saved, left, lasted });
    if (!isOlder(arrivedAt, ARRIVED_MS, now)) return situation("arrived", { count: saved, lasted });
  }
  if (sessionOpen === null) return situation("notRead");
  if (!sessionOpen) return situation("closed");
  if (terminals.connected === 0) return situation("noTerminals");
  return situation("good", { terminals: terminals.connected, lastSyncAt: backOffice.lastSyncAt });
}

/** A disk that cannot be written stops service. The other kinds concern data that is already stored. */
const doubtsByRank: readonly DataFileDoubtKind[] = ["disk_failed", "corrupt", "lost_changes", "damaged_records"];

function isOlder(at: string | null, ms: number, now: number): boolean {
  return at === null || now - Date.parse(at) > ms;
}
