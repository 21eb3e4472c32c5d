import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { route } from "../http/http-route.ts";
import { isBackOfficeSetting, SettingName } from "../settings.ts";
import { Instant, nextCursor, paging } from "./common.ts";
import { LogEvent } from "./log-events.ts";
import { Loss } from "./losses.ts";
import { Said } from "./sentences.ts";

export const VersionInfo = z.object({
  version: z.string(),
  protocolVersion: z.int(),
  schemaVersion: z.int(),
  node: z.string(),
  platform: z.string(),
  /** `desktop` inside the app, else `headless`. */
  host: z.enum(["desktop", "headless"]),
  startedAt: Instant,
  timeZone: z.string(),
});
export type VersionInfo = z.infer<typeof VersionInfo>;

/** An effective setting. The `value` of a secret is null; `set` says whether it has one. */
export const Setting = z.object({
  name: SettingName,
  value: z.string().nullable(),
  set: z.boolean(),
  secret: z.boolean(),
  source: z.enum(["environment", "file", "default"]),
  default: z.string().nullable(),
  /** The accepted values, in words. */
  allowed: z.string(),
  /** False when the environment sets it, or when this hub has no settings file to change. */
  changeable: z.boolean(),
  /** Decides whom the hub trusts, where it listens or which files it uses: can be changed on its own computer only. */
  localOnly: z.boolean().default(false),
  needsRestart: z.boolean(),
});
export type Setting = z.infer<typeof Setting>;

export const SettingList = z.object({ settings: z.array(Setting), restartNeeded: z.boolean() });
export type SettingList = z.infer<typeof SettingList>;

/** The stations of a kitchen name their products one by one. */
const SETTING_MAX = 32_768;

/** PATCH /operator/v1/settings: null goes back to the default. All or nothing. */
export const ChangeSettings = z.strictObject({ values: z.record(z.string(), z.string().max(SETTING_MAX).nullable()) });
type ChangeSettings = z.infer<typeof ChangeSettings>;

export const Backup = z.object({
  name: z.string(),
  createdAt: Instant,
  /** What it takes on the disk. */
  bytes: z.number(),
  /** Stored compressed; it is unpacked for whatever is done with it. */
  compressed: z.boolean().default(false),
  kind: z.enum(["daily", "manual", "migration", "restore", "other"]),
  verified: z.enum(["good", "bad", "unchecked"]),
  verifiedAt: Instant.nullable(),
});
export type Backup = z.infer<typeof Backup>;

/** What is being done with a backup, and how much of that is, from 0 to 1; `name` is null while it has none. */
export const BackupWork = z.object({
  step: z.enum(["compressing", "copying", "verifying"]),
  name: z.string().nullable(),
  progress: z.number(),
});
export type BackupWork = z.infer<typeof BackupWork>;

/** Why no daily backup can be made; `detail` is the hub's own sentence, in English. */
export const BackupFailure = z.object({
  reason: z.enum(["missing", "no_space", "damaged", "failed"]),
  detail: z.string(),
  since: Instant,
  /** Made sooner when there is space again. */
  nextAttemptAt: Instant,
});
export type BackupFailure = z.infer<typeof BackupFailure>;

/**
 * Why good backups cannot be copied to the second folder: `missing` is a folder or disk that is not there, `same_folder` one
 * that leads to the first, `not_answering` one that takes too long. `detail` is the hub's own sentence, in English.
 */
export const SecondFolderFailure = z.object({
  reason: z.enum(["missing", "not_writable", "no_space", "same_folder", "not_answering", "failed"]),
  detail: z.string(),
  since: Instant,
});
export type SecondFolderFailure = z.infer<typeof SecondFolderFailure>;

/** The folder that gets a copy of each good backup, as it was when it was last looked at. */
export const SecondFolder = z.object({
  folder: z.string(),
  /** The backups of this hub that lie there. */
  copies: z.int(),
  /** When the newest of them was made. */
  lastCopyAt: Instant.nullable(),
  freeBytes: z.number().nullable(),
  /** It is on the disk of the data file: both would be lost together. */
  sameDisk: z.boolean(),
  /** What is being copied, and how much of that is done, from 0 to 1. */
  work: z.object({ name: z.string(), progress: z.number() }).nullable(),
  failure: SecondFolderFailure.nullable(),
});
export type SecondFolder = z.infer<typeof SecondFolder>;

/** `lastGoodAt` is when the newest backup was made that was verified and is good. */
export const BackupList = z.object({
  backups: z.array(Backup),
  lastGoodAt: Instant.nullable(),
  folder: z.string(),
  secondFolder: z.string().nullable(),
  work: z.array(BackupWork).default([]),
  failure: BackupFailure.nullable().default(null),
  second: SecondFolder.nullable().default(null),
});
export type BackupList = z.infer<typeof BackupList>;
export const BackupAnswer = z.object({ backup: Backup });

/** Whether backups can be written to a folder now. */
export const BackupFolderTest = z.object({
  folder: z.string(),
  result: z.enum(["writable", "missing", "not_writable", "not_answering", "failed"]),
  freeBytes: z.number().nullable(),
  sameDisk: z.boolean(),
});
export type BackupFolderTest = z.infer<typeof BackupFolderTest>;

/** The folder of the backups, and the second one where one is set. */
export const BackupFolderTests = z.object({ first: BackupFolderTest, second: BackupFolderTest.nullable() });
export type BackupFolderTests = z.infer<typeof BackupFolderTests>;

/** An order, payment or discarded check of the live file that a backup does not have. */
const LostByRestore = Loss.pick({ kind: true, posReference: true }).extend(
  Loss.shape.known.omit({ itemCount: true, ticketNumber: true, customerName: true }).shape,
);

/** What restoring would bring back and what would be lost. */
export const BackupPreview = z.object({
  backup: Backup,
  orders: z.int(),
  activeOrders: z.int(),
  pendingForward: z.int(),
  newestChangeAt: Instant.nullable(),
  /** Changes of orders in the live file that the backup does not have. */
  changesLost: z.int(),
  /** The newest of what would be lost; `total` counts all of it. */
  lost: z.object({ total: z.int(), items: z.array(LostByRestore) }).default({ total: 0, items: [] }),
  connectedTerminals: z.int(),
  /** The restaurant's name in the backup, where it has one. */
  restaurant: z.string().nullable().default(null),
  /** It was made by another hub: restoring it replaces this hub's data with that one's. */
  otherHub: z.boolean().default(false),
});
export type BackupPreview = z.infer<typeof BackupPreview>;

/** POST /operator/v1/backups/:name/restore: `confirm` repeats the name. The live file is kept aside, the hub starts again on the backup. */
export const RestoreBackup = z.strictObject({ confirm: z.string().max(256) });
export const Restoring = z.object({ restoring: z.literal(true), keptAside: z.string() });

/**
 * What can be wrong with the data file while a hub runs on it: SQLite met damage; records contradict their checksums;
 * changes that were acknowledged are known to be missing; the disk refuses to be read or written.
 */
export const DataFileDoubtKind = z.enum(["corrupt", "damaged_records", "lost_changes", "disk_failed"]);
export type DataFileDoubtKind = z.infer<typeof DataFileDoubtKind>;

/** `detail` is the hub's own sentence, in English. */
export const DataFileDoubt = z.object({ kind: DataFileDoubtKind, detail: z.string(), since: Instant });
export type DataFileDoubt = z.infer<typeof DataFileDoubt>;

export const DataFile = z.object({
  path: z.string(),
  bytes: z.number(),
  walBytes: z.number(),
  freeDiskBytes: z.number().nullable(),
  diskLow: z.boolean(),
  schemaVersion: z.int(),
  hubId: z.string(),
  epoch: z.string(),
  /** The last check of the whole file since the hub started, started by the hub or by a manager. */
  check: z.object({ at: Instant, ok: z.boolean(), message: z.string() }).nullable(),
  /** How much of the file a check under way has read, from 0 to 1; null when none is. */
  checking: z.number().nullable(),
  doubts: z.array(DataFileDoubt),
});
export type DataFile = z.infer<typeof DataFile>;

export const LogLevel = z.enum(["debug", "info", "warn", "error"]);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogLine = z.object({
  at: Instant,
  level: LogLevel,
  /** The part of the hub that logged it; null for a line of the program itself. */
  component: z.string().nullable(),
  /** What happened, where the screens have words for it. */
  event: LogEvent.nullable().default(null),
  message: z.string(),
  /** The facts of the line, as JSON text; secrets are left out. */
  facts: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

/** `level` is the lowest that is shown. */
export const LogQuery = z.strictObject({
  level: LogLevel.default("info"),
  component: z.string().max(64).optional(),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  limit: z.coerce.number().int().min(1).max(2000).default(500),
});

/** Newest last; `components` are those that have logged a line. */
export const LogTail = z.object({ lines: z.array(LogLine), components: z.array(z.string()) });

/** GET /operator/v1/diagnostics: what the bundle would hold, so that it can be checked before it is sent. */
export const DiagnosticsList = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number(), about: z.string() })),
});
export type DiagnosticsList = z.infer<typeof DiagnosticsList>;

export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  userName: z.string(),
  /** An `AuditAction`; a log of another version of the hub may hold others. */
  action: z.string(),
  target: z.string(),
  note: Said.nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** POST /operator/v1/drill: a practice copy of the hub loses its back-office; the counts prove that nothing is lost. */
export const DrillReport = z.object({
  ranMs: z.number(),
  paidWhileCut: z.int(),
  queuedWhileCut: z.int(),
  forwardedAfter: z.int(),
  lost: z.int(),
  twice: z.int(),
});
export type DrillReport = z.infer<typeof DrillReport>;

export const systemRoutes = {
  version: route("GET", "/operator/v1/version", "manager", {
    summary: "Returns the version of this hub, its protocol and its host.",
    answer: VersionInfo,
  }),
  settings: route("GET", "/operator/v1/settings", "manager", {
    summary: "Lists the effective settings and where each comes from.",
    answer: SettingList,
  }),
  changeSettings: route("PATCH", "/operator/v1/settings", "manager", {
    needsConfirmation: ({ values }: ChangeSettings) => Object.keys(values).some(isBackOfficeSetting),
    summary: "Changes settings that the environment does not set; those of the back-office need a confirmation.",
    body: ChangeSettings,
    answer: SettingList,
  }),
  backups: route("GET", "/operator/v1/backups", "manager", {
    summary: "Lists the backups, newest first.",
    answer: BackupList,
  }),
  makeBackup: route("POST", "/operator/v1/backups", "manager", {
    summary: "Makes a backup now and verifies it.",
    answer: BackupAnswer,
    status: 201,
  }),
  testBackupFolders: route("POST", "/operator/v1/backup-folders/test", "manager", {
    summary: "Writes a small file to each folder of the backups and reads it back.",
    answer: BackupFolderTests,
  }),
  verifyBackup: route("POST", "/operator/v1/backups/:name/verify", "manager", {
    summary: "Reads a whole backup and returns whether it is sound.",
    answer: BackupAnswer,
  }),
  previewBackup: route("GET", "/operator/v1/backups/:name", "manager", {
    summary: "Returns what restoring this backup would bring back and lose.",
    answer: BackupPreview,
  }),
  restoreBackup: route("POST", "/operator/v1/backups/:name/restore", "manager", {
    needsConfirmation: true,
    summary: "Replaces the data file with a backup; the present one is kept aside.",
    body: RestoreBackup,
    answer: Restoring,
    status: 202,
  }),
  downloadBackup: route("GET", "/operator/v1/backups/:name/download", "manager", {
    needsConfirmation: true,
    summary: "Downloads a backup.",
    file: true,
  }),
  dataFile: route("GET", "/operator/v1/data-file", "manager", {
    summary: "Returns the size and health of the data file.",
    answer: DataFile,
  }),
  checkDataFile: route("POST", "/operator/v1/data-file/check", "manager", {
    summary: "Checks the whole data file now.",
    answer: DataFile,
  }),
  logs: route("GET", "/operator/v1/logs", "manager", {
    summary: "Returns the last log lines; the stream names `logs` when there are new ones.",
    query: LogQuery,
    answer: LogTail,
  }),
  exportLogs: route("GET", "/operator/v1/logs/export", "manager", {
    summary: "Downloads the kept log lines, one JSON object per line.",
    answer: z.string(),
    file: true,
  }),
  diagnostics: route("GET", "/operator/v1/diagnostics", "manager", {
    summary: "Lists the files of the diagnostics bundle.",
    answer: DiagnosticsList,
  }),
  downloadDiagnostics: route("GET", "/operator/v1/diagnostics/bundle", "manager", {
    summary: "Downloads the diagnostics bundle, without secrets and names of customers.",
    file: true,
  }),
  audit: route("GET", "/operator/v1/audit", "manager", {
    summary: "Lists what operators did, newest first.",
    query: z.strictObject({ search: z.string().trim().max(MAX_SEARCH).optional(), ...paging }),
    answer: z.object({ entries: z.array(AuditEntry), nextCursor }),
  }),
  drill: route("POST", "/operator/v1/drill", "manager", {
    summary: "Cuts the back-office off in a practice copy and counts what is lost: nothing.",
    answer: DrillReport,
  }),
};
