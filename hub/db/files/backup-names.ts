import { fileStamp } from "./files.ts";

/*
 * What the hub calls its backups, `hub-daily-2026-11-21T18-30-00-000Z.sqlite`: compressed with `.zst` behind, and with `.part`
 * while they are made, compressed or unpacked, behind the sign of the hub that does it and, of one that is unpacked, a random one.
 */
const plain = (stamp: string): string => String.raw`hub-(daily|manual|before-\d+)-(${stamp})\.sqlite`;
const STAMP = String.raw`[\dTZ-]+`;
const TAGS = String.raw`(?:\.([\da-f]{8})(?:\.[\da-f]{8})?)?`;

const WHOLE = new RegExp(String.raw`^(${plain(STAMP)})(\.zst)?$`);
const PARTIAL = new RegExp(String.raw`^${plain(STAMP)}(?:\.zst)?${TAGS}\.part(?:-\w+)?$`);
/** Also one that was renamed or copied by hand, and what SQLite keeps beside one. */
const ANY = new RegExp(String.raw`^${plain(".*")}(?:\.zst)?${TAGS}(?:\.part)?(?:-wal|-shm|-journal)?$`);

interface BackupName {
  /** Without what compressing appends. */
  name: string;
  kind: string;
  /** When it was made, ms since 1970; null where the name says no time. */
  at: number | null;
  isCompressed: boolean;
}

/** What a name says of a backup that is whole; null where it is no such name. */
export function readBackupName(fileName: string): BackupName | null {
  const [, name, kind, stamp, ending] = WHOLE.exec(fileName) ?? [];
  if (name === undefined || kind === undefined || stamp === undefined) return null;
  const at = Date.parse(stamp.replace(/T(\d\d)-(\d\d)-(\d\d)-/, "T$1:$2:$3."));
  return { name, kind, at: Number.isNaN(at) ? null : at, isCompressed: ending !== undefined };
}

/** By whom a backup is being made, as far as its name says so; null where it is no such name. */
export function readPartialName(fileName: string): { tag: string | undefined } | null {
  const found = PARTIAL.exec(fileName);
  return found && { tag: found[3] };
}

/** Whether a file of a backup folder is the hub's, compressed and unfinished ones included. */
export function isBackupName(fileName: string): boolean {
  return ANY.test(fileName);
}

export function backupName(kind: string, now: number): string {
  return `hub-${kind}-${fileStamp(now)}.sqlite`;
}
