import { createHash } from "node:crypto";
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type Database from "better-sqlite3";
import { DICTIONARY } from "./pack-dictionary.ts";

/** A version of an order as `order_versions` stores it: `body` is JSON, `at` is ms since 1970. */
export interface StoredVersion {
  version: number;
  origin: string;
  userName: string | null;
  kind: string;
  isContent: 0 | 1;
  at: number;
  writeSeq: number;
  body: string;
  /** The crc32 of `body`. */
  checksum: number;
}

/** A kitchen ticket in the pack of its check: its row of `tickets`, with the row id as `place`. */
export interface PackedTicket {
  place: number;
  ticketId: string;
  seq: number;
  /** JSON. */
  body: string;
  /** The crc32 of `body`. */
  checksum: number;
}

/** The records packed with the newest version of an order: its earlier versions, and the tickets that it has shares in. */
export interface Pack {
  versions: StoredVersion[];
  tickets: PackedTicket[];
}

/** Compression level. Higher levels save little space and take much longer. */
const LEVEL = 6;
/** The size limit when unpacking, far above any order, so that a damaged pack cannot fill the memory. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Compresses the body of a version, for `order_versions.packed`, or of a ticket. */
export function packBody(body: string): Buffer {
  return pack(body);
}

/** A record in a pack, without its body. All bodies follow after the heads; `length` is in UTF-16 code units. */
type PackedHead<T extends { body: string }> = Omit<T, "body"> & { length: number };

interface PackedHeads {
  versions: PackedHead<StoredVersion>[];
  tickets: PackedHead<PackedTicket>[];
}

/**
 * Packs versions and tickets for `order_versions.earlier` in the row of the version that follows them. The `body` of that row
 * serves as a dictionary, since it repeats most of their content. The text is one line of JSON heads, then the bodies.
 */
export function packEarlier({ versions, tickets }: Pack, body: string): Buffer {
  const heads: PackedHeads = { versions: versions.map(headOf), tickets: tickets.map(headOf) };
  return pack(`${JSON.stringify(heads)}\n${[...versions, ...tickets].map((each) => each.body).join("")}`, body);
}

function headOf<T extends { body: string }>({ body: { length }, ...head }: T): PackedHead<T> {
  return { ...head, length };
}

/** Thrown when a pack cannot be read or does not match its checksums. */
export class DamagedPack extends Error {
  override readonly name = "DamagedPack";
}

/** Unpacks `earlier` with the plain body of its row. Throws a DamagedPack if any record in it is damaged. */
export function unpackEarlier(earlier: Buffer, body: string): Pack {
  try {
    return readPack(unpack(earlier, body));
  } catch (error) {
    throw new DamagedPack("the versions of an order cannot be unpacked", { cause: error });
  }
}

function readPack(text: string): Pack {
  let at = text.indexOf("\n") + 1;
  const heads = JSON.parse(text.slice(0, at)) as PackedHeads;
  const bodyOf = ({ length, checksum }: { length: number; checksum: number }): string => {
    const body = text.slice(at, (at += length));
    if (crc32(body) !== checksum) throw new Error("a packed record does not match its checksum");
    return body;
  };
  return {
    versions: heads.versions.map(({ length, ...head }) => ({ ...head, body: bodyOf({ ...head, length }) })),
    tickets: heads.tickets.map(({ length, ...head }) => ({ ...head, body: bodyOf({ ...head, length }) })),
  };
}

/** Returns the key of a ticket in `packed_tickets`, a hash of its id. Two ids may have the same key. */
export function ticketKey(ticketId: string): number {
  return createHash("sha256").update(ticketId).digest().readUIntBE(0, 6);
}

/** Whether a row of `order_versions` can be read: its body and, if present, the packed earlier versions. */
export function isVersionSound(row: Readonly<Record<string, unknown>>): boolean {
  const body = plainBody(row["body"], row["packed"]);
  if (crc32(body) !== row["checksum"]) return false;
  const earlier = row["earlier"] ?? null;
  if (earlier === null) return true;
  try {
    unpackEarlier(earlier as Buffer, body);
    return true;
  } catch {
    return false;
  }
}

/** Returns the body of a row of `order_versions`; if its pack is damaged, an empty text, which matches no checksum. */
export function plainBody(body: unknown, packed: unknown): string {
  if (packed === null || packed === undefined) return String(body);
  try {
    return unpack(packed as Buffer);
  } catch {
    return "";
  }
}

/** Registers the SQL function `plain(body, packed)` on a connection: see `plainBody`. */
export function registerPlain(db: Database.Database): void {
  db.function("plain", { deterministic: true }, (body: unknown, packed: unknown) => plainBody(body, packed));
}

/** Returns SQL for the body of a row of `order_versions`. */
export function plainColumn(alias = "order_versions"): string {
  return `plain(${alias}.body, ${alias}.packed)`;
}

/** The first byte of every pack made with DICTIONARY. */
const WITH_DICTIONARY = Buffer.from([1]);
const dictionaryBytes = Buffer.from(DICTIONARY);

/** Compresses a text. `extra` is an extra dictionary that must also be passed to `unpack`. */
function pack(text: string, extra = ""): Buffer {
  const frame = zstdCompressSync(text, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    dictionary: dictionaryWith(extra),
  });
  return Buffer.concat([WITH_DICTIONARY, frame]);
}

function unpack(packed: Buffer, extra = ""): string {
  if (packed[0] !== WITH_DICTIONARY[0]) throw new Error("it is not packed with the dictionary of this hub");
  return zstdDecompressSync(packed.subarray(WITH_DICTIONARY.length), {
    maxOutputLength: MAX_BYTES,
    dictionary: dictionaryWith(extra),
  }).toString("utf8");
}

function dictionaryWith(extra: string): Buffer {
  return extra === "" ? dictionaryBytes : Buffer.concat([dictionaryBytes, Buffer.from(extra)]);
}
