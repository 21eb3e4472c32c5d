import { fileStamp } from "./files.ts";

/*
 * Backup names, such as `hub-daily-2026-11-21T18-30-00-000Z.sqlite`. `.zst` marks a compressed backup. While a backup is made,
 * compressed or unpacked, its name ends with a tag of the hub, a random tag if it is being unpacked, and `.part`.
 */
const plain = (stamp: string): string => String.raw`hub-(daily|manual|before-\d+)-(${stamp})\.sqlite`;
const STAMP = String.raw`[\dTZ-]+`;
const TAGS = String.raw`(?:\.([\da-f]{8})(?:\.[\da-f]{8})?)?`;

const WHOLE = new RegExp(String.raw`^(${plain(STAMP)})(\.zst)?$`);
const PARTIAL = new RegExp(String.raw`^${plain(STAMP)}(?:\.zst)?${TAGS}\.part(?:-\w+)?$`);
/** Also matches backups renamed or copied by hand, and the files that SQLite keeps beside a backup. */
const ANY = new RegExp(String.raw`^${plain(".*")}(?:\.zst)?${TAGS}(?:\.part)?(?:-wal|-shm|-journal)?$`);

interface BackupName {
  /** Without `.zst`. */
  name: string;
  kind: string;
  /** Creation time in ms since 1970; null if the name contains no valid time. */
  at: number | null;
  isCompressed: boolean;
}

/** Parses the name of a finished backup; null if it is not one. */
export function readBackupName(fileName: string): BackupName | null {
  const [, name, kind, stamp, ending] = WHOLE.exec(fileName) ?? [];
  if (name === undefined || kind === undefined || stamp === undefined) return null;
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-(\d\d)-/, "T$1:$2:$3."));
  return { name, kind, at: Number.isNaN(at) ? null : at, isCompressed: ending !== undefined };
}

/** Parses the name of an unfinished backup; null if it is not one. `tag` identifies the hub that is writing it, if known. */
export function readPartialName(fileName: string): { tag: string | undefined } | null {
  const found = PARTIAL.exec(fileName);
  return found && { tag: found[3] };
}

/** Whether a file in a backup folder was written by a hub, including compressed and unfinished backups. */
export function isBackupName(fileName: string): boolean {
  return ANY.test(fileName);
}

export function backupName(kind: string, now: number): string {
  return `hub-${kind}-${fileStamp(now)}.sqlite`;
}
