import { z } from "zod";
import { MAX_SEARCH } from "../basics/bounds.ts";
import { route } from "../http/http-route.ts";
import { isBackOfficeSetting, SettingName } from "../settings.ts";
import { Instant, nextCursor, paging } from "./common.ts";
import { LogEvent } from "./log-events.ts";
import { Loss } from "./losses.ts";
import { Sentence } from "./sentences.ts";

export const VersionInfo = z.object({
  version: z.string(),
  protocolVersion: z.int(),
  schemaVersion: z.int(),
  node: z.string(),
  platform: z.string(),
  /** `desktop` inside the app, otherwise `headless`. */
  host: z.enum(["desktop", "headless"]),
  startedAt: Instant,
  timeZone: z.string(),
});
export type VersionInfo = z.infer<typeof VersionInfo>;

/** An effective setting. A secret's `value` is always null; `set` says whether it has one. */
export const Setting = z.object({
  name: SettingName,
  value: z.string().nullable(),
  set: z.boolean(),
  secret: z.boolean(),
  source: z.enum(["environment", "file", "default"]),
  default: z.string().nullable(),
  /** The accepted values, in words. */
  allowed: z.string(),
  /** False if the environment sets it, or if this hub has no settings file. */
  changeable: z.boolean(),
  /** Decides whom the hub trusts, where it listens or which files it uses. Can be changed only on the hub's own computer. */
  localOnly: z.boolean().default(false),
  needsRestart: z.boolean(),
});
export type Setting = z.infer<typeof Setting>;

export const SettingList = z.object({ settings: z.array(Setting), restartNeeded: z.boolean() });
export type SettingList = z.infer<typeof SettingList>;

/** Large, because kitchen stations list their products individually. */
const SETTING_MAX = 32_768;

/** PATCH /operator/v1/settings: null restores the default. All changes are applied, or none. */
export const ChangeSettings = z.strictObject({ values: z.record(z.string(), z.string().max(SETTING_MAX).nullable()) });
type ChangeSettings = z.infer<typeof ChangeSettings>;

export const Backup = z.object({
  name: z.string(),
  createdAt: Instant,
  /** Its size on disk. */
  bytes: z.number(),
  /** Stored compressed, and unpacked before each use. */
  compressed: z.boolean().default(false),
  kind: z.enum(["daily", "manual", "migration", "restore", "other"]),
  verified: z.enum(["good", "bad", "unchecked"]),
});
export type Backup = z.infer<typeof Backup>;

/** The current step of work on a backup and its progress, from 0 to 1; `name` is null until the backup has one. */
export const BackupWork = z.object({
  step: z.enum(["compressing", "copying", "verifying"]),
  name: z.string().nullable(),
  progress: z.number(),
});
export type BackupWork = z.infer<typeof BackupWork>;

/** Why the daily backup fails; `detail` is the hub's own sentence, in English. */
export const BackupFailure = z.object({
  reason: z.enum(["missing", "no_space", "damaged", "failed"]),
  detail: z.string(),
  since: Instant,
  /** Earlier if disk space becomes free. */
  nextAttemptAt: Instant,
});
export type BackupFailure = z.infer<typeof BackupFailure>;

/**
 * Why good backups cannot be copied to the second folder. `missing`: the folder or disk does not exist. `same_folder`: it is
 * the first folder. `not_answering`: it takes too long. `detail` is the hub's own sentence, in English.
 */
export const SecondFolderFailure = z.object({
  reason: z.enum(["missing", "not_writable", "no_space", "same_folder", "not_answering", "failed"]),
  detail: z.string(),
  since: Instant,
});
export type SecondFolderFailure = z.infer<typeof SecondFolderFailure>;

/** The folder that gets a copy of each good backup, as of the last check. */
export const SecondFolder = z.object({
  folder: z.string(),
  /** Number of this hub's backups in the folder. */
  copies: z.int(),
  /** When the newest of these backups was made. */
  lastCopyAt: Instant.nullable(),
  freeBytes: z.number().nullable(),
  /** It is on the same disk as the data file, so both would be lost together. */
  sameDisk: z.boolean(),
  /** The copy in progress, from 0 to 1; null if there is none. */
  work: z.object({ name: z.string(), progress: z.number() }).nullable(),
  failure: SecondFolderFailure.nullable(),
});
export type SecondFolder = z.infer<typeof SecondFolder>;

/** `lastGoodAt`: when the newest backup that passed verification was made. */
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

/** Whether backups can currently be written to a folder. */
export const BackupFolderTest = z.object({
  folder: z.string(),
  result: z.enum(["writable", "missing", "not_writable", "not_answering", "failed"]),
  freeBytes: z.number().nullable(),
  sameDisk: z.boolean(),
});
export type BackupFolderTest = z.infer<typeof BackupFolderTest>;

/** Results for the backup folder, and for the second one if configured. */
export const BackupFolderTests = z.object({ first: BackupFolderTest, second: BackupFolderTest.nullable() });
export type BackupFolderTests = z.infer<typeof BackupFolderTests>;

/** An order, payment or discarded check that is in the live file but not in a backup. */
const LostByRestore = Loss.pick({ kind: true, posReference: true }).extend(
  Loss.shape.known.omit({ itemCount: true, ticketNumber: true, customerName: true }).shape,
);

/** What restoring a backup would bring back, and what it would lose. */
export const BackupPreview = z.object({
  backup: Backup,
  orders: z.int(),
  activeOrders: z.int(),
  pendingForward: z.int(),
  newestChangeAt: Instant.nullable(),
  /** Number of order changes in the live file that are not in the backup. */
  changesLost: z.int(),
  /** The newest losses; `total` counts all of them. */
  lost: z.object({ total: z.int(), items: z.array(LostByRestore) }).default({ total: 0, items: [] }),
  connectedTerminals: z.int(),
  /** The restaurant's name in the backup, if it has one. */
  restaurant: z.string().nullable().default(null),
  /** Made by another hub. Restoring it replaces this hub's data with the other's. */
  otherHub: z.boolean().default(false),
});
export type BackupPreview = z.infer<typeof BackupPreview>;

/** POST /operator/v1/backups/:name/restore: `confirm` repeats the name. The live file is kept, and the hub restarts. */
export const RestoreBackup = z.strictObject({ confirm: z.string().max(256) });
export const Restoring = z.object({ restoring: z.literal(true), keptAside: z.string() });

/**
 * Problems of the data file of a running hub: SQLite found corruption, records do not match their checksums, acknowledged
 * changes are known to be missing, or the disk fails to read or write.
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
  /** The last full check since the hub started, by the hub or by a manager; null if there was none. */
  check: z.object({ at: Instant, ok: z.boolean(), message: z.string() }).nullable(),
  /** Progress of a running check, from 0 to 1; null if none is running. */
  checking: z.number().nullable(),
  doubts: z.array(DataFileDoubt),
});
export type DataFile = z.infer<typeof DataFile>;

export const LogLevel = z.enum(["debug", "info", "warn", "error"]);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogLine = z.object({
  at: Instant,
  level: LogLevel,
  /** The component that logged it; null for a line of the program itself. */
  component: z.string().nullable(),
  /** The event, if the screens have a text for it. */
  event: LogEvent.nullable().default(null),
  message: z.string(),
  /** The line's structured data as JSON text, without secrets. */
  facts: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

/** `level` is the lowest level returned. */
export const LogQuery = z.strictObject({
  level: LogLevel.default("info"),
  component: z.string().max(64).optional(),
  search: z.string().trim().max(MAX_SEARCH).optional(),
  limit: z.coerce.number().int().min(1).max(2000).default(500),
});

/** Newest last. `components` are those that have logged a line. */
export const LogTail = z.object({ lines: z.array(LogLine), components: z.array(z.string()) });

/** GET /operator/v1/diagnostics: the files of the bundle, so that they can be reviewed before it is sent. */
export const DiagnosticsList = z.object({
  files: z.array(z.object({ name: z.string(), bytes: z.number(), about: z.string() })),
});
export type DiagnosticsList = z.infer<typeof DiagnosticsList>;

export const AuditEntry = z.object({
  id: z.int(),
  at: Instant,
  userName: z.string(),
  /** An `AuditAction`; a log written by another version of the hub may contain others. */
  action: z.string(),
  target: z.string(),
  note: Sentence.nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** POST /operator/v1/drill: cuts off the back-office of a practice copy. The counts show that nothing is lost. */
export const DrillReport = z.object({
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
    summary: "Changes settings that the environment does not set. Settings of the back-office need a confirmation.",
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
    summary: "Tests each backup folder by writing a small file and reading it back.",
    answer: BackupFolderTests,
  }),
  verifyBackup: route("POST", "/operator/v1/backups/:name/verify", "manager", {
    summary: "Reads a whole backup and returns whether it is intact.",
    answer: BackupAnswer,
  }),
  previewBackup: route("GET", "/operator/v1/backups/:name", "manager", {
    summary: "Returns what restoring this backup would recover and lose.",
    answer: BackupPreview,
  }),
  restoreBackup: route("POST", "/operator/v1/backups/:name/restore", "manager", {
    needsConfirmation: true,
    summary: "Replaces the data file with a backup. The current file is kept.",
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
    summary: "Returns the last log lines. The stream announces `logs` when there are new ones.",
    query: LogQuery,
    answer: LogTail,
  }),
  exportLogs: route("GET", "/operator/v1/logs/export", "manager", {
    summary: "Downloads the stored log lines, one JSON object per line.",
    answer: z.string(),
    file: true,
  }),
  diagnostics: route("GET", "/operator/v1/diagnostics", "manager", {
    summary: "Lists the files of the diagnostics bundle.",
    answer: DiagnosticsList,
  }),
  downloadDiagnostics: route("GET", "/operator/v1/diagnostics/bundle", "manager", {
    summary: "Downloads the diagnostics bundle, without secrets and customers' names.",
    file: true,
  }),
  audit: route("GET", "/operator/v1/audit", "manager", {
    summary: "Lists the actions of operators, newest first.",
    query: z.strictObject({ search: z.string().trim().max(MAX_SEARCH).optional(), ...paging }),
    answer: z.object({ entries: z.array(AuditEntry), nextCursor }),
  }),
  drill: route("POST", "/operator/v1/drill", "manager", {
    summary: "Disconnects the back-office in a practice copy and counts losses, to show that there are none.",
    answer: DrillReport,
  }),
};
