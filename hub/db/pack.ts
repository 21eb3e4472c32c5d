import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type Database from "better-sqlite3";

/** A version of an order as `order_versions` stores it: `body` is JSON, `at` is ms since 1970. */
export interface StoredVersion {
  version: number;
  origin: string;
  userName: string | null;
  kind: string;
  isContent: 0 | 1;
  at: number;
  body: string;
  /** The crc32 of `body`. */
  checksum: number;
}

/** Above it little is saved and much time spent. */
const LEVEL = 6;
/** No order comes near it; a damaged pack must not fill the memory. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The body of a version as `order_versions.packed` keeps it. */
export function packBody(body: string): Buffer {
  return pack(body);
}

/** A version in a pack: its body follows behind all of these, `length` UTF-16 units long. */
type PackedHead = Omit<StoredVersion, "body"> & { length: number };

/**
 * Versions as `order_versions.earlier` keeps them in the row of the version that follows them, whose `body` serves as the
 * dictionary: most of what they say is in it. One line of JSON describes them, then follow their bodies.
 */
export function packVersions(versions: readonly StoredVersion[], body: string): Buffer {
  const heads = versions.map(({ body: { length }, ...head }): PackedHead => ({ ...head, length }));
  return pack(`${JSON.stringify(heads)}\n${versions.map((version) => version.body).join("")}`, body);
}

/** A pack that cannot be read, or does not match its checksums. */
export class DamagedPack extends Error {
  override readonly name = "DamagedPack";
}

/** The versions in a pack, beside the plain body of its row. Throws a DamagedPack, also for a single version in it. */
export function unpackVersions(earlier: Buffer, body: string): StoredVersion[] {
  try {
    return readVersions(unpack(earlier, body));
  } catch (error) {
    throw new DamagedPack("the versions of an order cannot be unpacked", { cause: error });
  }
}

function readVersions(text: string): StoredVersion[] {
  let at = text.indexOf("\n") + 1;
  const heads = JSON.parse(text.slice(0, at)) as PackedHead[];
  return heads.map(({ length, ...head }) => {
    const version = { ...head, body: text.slice(at, (at += length)) };
    if (crc32(version.body) !== head.checksum) throw new Error("a packed version does not match its checksum");
    return version;
  });
}

/** Whether a row of `order_versions` can be read: its body and, where it has them, the packed versions before it. */
export function isVersionSound(row: Readonly<Record<string, unknown>>): boolean {
  const body = plainBody(row["body"], row["packed"]);
  if (crc32(body) !== row["checksum"]) return false;
  const earlier = row["earlier"] ?? null;
  if (earlier === null) return true;
  try {
    unpackVersions(earlier as Buffer, body);
    return true;
  } catch {
    return false;
  }
}

/** The body of a row of `order_versions`; empty, which matches no checksum, where its pack is damaged. */
export function plainBody(body: unknown, packed: unknown): string {
  if (packed === null || packed === undefined) return String(body);
  try {
    return unpack(packed as Buffer);
  } catch {
    return "";
  }
}

/** Gives a connection the SQL function `plain(body, packed)`: see `plainBody`. */
export function registerPlain(db: Database.Database): void {
  db.function("plain", { deterministic: true }, (body: unknown, packed: unknown) => plainBody(body, packed));
}

/** SQL for the body of a row of `order_versions`, also in a file from before there were packs. */
export function plainColumn(db: Database.Database, alias = "order_versions"): string {
  return hasPacks(db) ? `plain(${alias}.body, ${alias}.packed)` : `${alias}.body`;
}

/** Whether a file is of a schema that knows packs. */
export function hasPacks(db: Database.Database): boolean {
  return Number(db.pragma("user_version", { simple: true })) >= 7;
}

function pack(text: string, dictionary = ""): Buffer {
  return zstdCompressSync(text, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    ...(dictionary !== "" && { dictionary: Buffer.from(dictionary) }),
  });
}

function unpack(packed: Buffer, dictionary = ""): string {
  return zstdDecompressSync(packed, {
    maxOutputLength: MOST_BYTES,
    ...(dictionary !== "" && { dictionary: Buffer.from(dictionary) }),
  }).toString("utf8");
}
