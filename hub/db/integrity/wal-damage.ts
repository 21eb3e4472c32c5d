import { existsSync, readSync, statSync } from "node:fs";
import { withFile } from "../files/files.ts";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;
const MAGIC_BIG_ENDIAN = 0x377f0683;

/**
 * Whether a write-ahead log proves that SQLite will drop commits that had reached the disk. SQLite replays a log up to
 * the first frame whose checksum fails. After a power cut that frame belongs to the commit being written, and nothing is
 * lost. If a later commit follows, the failing frame had already been synced, so the log was damaged afterwards.
 * Format: https://sqlite.org/fileformat2.html#walformat
 */
export function walLosesCommits(wal: string): boolean {
  if (!existsSync(wal) || statSync(wal).size < HEADER_BYTES + FRAME_HEADER_BYTES) return false;
  return withFile(wal, "r", (handle) => losesCommits(handle, statSync(wal).size));
}

function losesCommits(handle: number, size: number): boolean {
  const header = readAt(handle, 0, HEADER_BYTES);
  const magic = header.readUInt32BE(0);
  const pageSize = pageSizeOf(header);
  if (pageSize === null) return size > HEADER_BYTES + 2 * 4096;
  const isBigEndian = magic === MAGIC_BIG_ENDIAN;
  let sum = checksum([0, 0], header.subarray(0, 24), isBigEndian);
  const isHeaderSound =
    (isBigEndian || magic === MAGIC_LITTLE_ENDIAN) &&
    sum[0] === header.readUInt32BE(24) &&
    sum[1] === header.readUInt32BE(28);
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  // The salts of a damaged header may be wrong, so those of the first frame are used.
  const salts = isHeaderSound
    ? header.subarray(16, 24)
    : readAt(handle, HEADER_BYTES, FRAME_HEADER_BYTES).subarray(8, 16);
  let isSound = isHeaderSound;
  let isBrokenFrameCommit = false;
  let laterCommits = 0;
  for (let at = HEADER_BYTES; at + frameBytes <= size; at += frameBytes) {
    const frame = readAt(handle, at, frameBytes);
    const isOfThisLog = frame.subarray(8, 16).equals(salts);
    const isCommit = frame.readUInt32BE(4) !== 0;
    if (isSound) {
      sum = checksum(checksum(sum, frame.subarray(0, 8), isBigEndian), frame.subarray(FRAME_HEADER_BYTES), isBigEndian);
      if (isOfThisLog && sum[0] === frame.readUInt32BE(16) && sum[1] === frame.readUInt32BE(20)) continue;
      isSound = false;
      isBrokenFrameCommit = isOfThisLog && isCommit;
      continue;
    }
    if (isOfThisLog && isCommit) laterCommits += 1;
  }
  if (isSound) return false;
  // The broken frame may belong to the commit that was being written; any later commit proves damage.
  return laterCommits >= (isHeaderSound && isBrokenFrameCommit ? 1 : 2);
}

function pageSizeOf(header: Buffer): number | null {
  const pageSize = header.readUInt32BE(8);
  const isPossible = pageSize >= 512 && pageSize <= 65_536 && (pageSize & (pageSize - 1)) === 0;
  return isPossible ? pageSize : null;
}

function readAt(handle: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  readSync(handle, buffer, 0, bytes, at);
  return buffer;
}

function checksum(start: readonly [number, number], bytes: Buffer, isBigEndian: boolean): [number, number] {
  let [first, second] = start;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    const word = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    const right = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
    first = (first + word + second) >>> 0;
    second = (second + right + first) >>> 0;
  }
  return [first, second];
}
