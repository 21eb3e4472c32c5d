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
  body: string;
  /** The crc32 of `body`. */
  checksum: number;
}

/** A kitchen ticket in the pack of its check: what `tickets` had of it, its id there as `place`. */
export interface PackedTicket {
  place: number;
  ticketId: string;
  seq: number;
  /** JSON. */
  body: string;
  /** The crc32 of `body`. */
  checksum: number;
}

/** What lies beside the newest version of an order: the versions before it, and the tickets of which it held shares. */
export interface Pack {
  versions: StoredVersion[];
  tickets: PackedTicket[];
}

/** Above it little is saved and much time spent. */
const LEVEL = 6;
/** No order comes near it; a damaged pack must not fill the memory. */
const MOST_BYTES = 256 * 1024 * 1024;

/** The body of a version as `order_versions.packed` keeps it, or of a ticket. */
export function packBody(body: string): Buffer {
  return pack(body);
}

/** One of what is in a pack: its body follows behind all of these, `length` UTF-16 units long. */
type PackedHead<T extends { body: string }> = Omit<T, "body"> & { length: number };

interface PackedHeads {
  versions: PackedHead<StoredVersion>[];
  tickets: PackedHead<PackedTicket>[];
}

/**
 * Versions and tickets as `order_versions.earlier` keeps them in the row of the version that follows them, whose `body`
 * serves as a dictionary: most of what they say is in it. One line of JSON describes them, then follow their bodies.
 */
export function packEarlier({ versions, tickets }: Pack, body: string): Buffer {
  const heads: PackedHeads = { versions: versions.map(headOf), tickets: tickets.map(headOf) };
  return pack(`${JSON.stringify(heads)}\n${[...versions, ...tickets].map((each) => each.body).join("")}`, body);
}

function headOf<T extends { body: string }>({ body: { length }, ...head }: T): PackedHead<T> {
  return { ...head, length };
}

/** A pack that cannot be read, or does not match its checksums. */
export class DamagedPack extends Error {
  override readonly name = "DamagedPack";
}

/** What is in a pack, beside the plain body of its row. Throws a DamagedPack, also for a single record in it. */
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

/** A number by which `packed_tickets` finds a ticket; another id may have the same. */
export function ticketKey(ticketId: string): number {
  return createHash("sha256").update(ticketId).digest().readUIntBE(0, 6);
}

/** Whether a row of `order_versions` can be read: its body and, where it has them, the packed versions before it. */
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

/** SQL for the body of a row of `order_versions`. */
export function plainColumn(alias = "order_versions"): string {
  return `plain(${alias}.body, ${alias}.packed)`;
}

/** The first byte of what is packed with DICTIONARY. */
const WITH_DICTIONARY = Buffer.from([1]);
const dictionaryBytes = Buffer.from(DICTIONARY);

/** `beside` is known when it is unpacked: what repeats it takes next to nothing. */
function pack(text: string, beside = ""): Buffer {
  const frame = zstdCompressSync(text, {
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
    dictionary: dictionaryWith(beside),
  });
  return Buffer.concat([WITH_DICTIONARY, frame]);
}

function unpack(packed: Buffer, beside = ""): string {
  if (packed[0] !== WITH_DICTIONARY[0]) throw new Error("it is not packed with the dictionary of this hub");
  return zstdDecompressSync(packed.subarray(WITH_DICTIONARY.length), {
    maxOutputLength: MOST_BYTES,
    dictionary: dictionaryWith(beside),
  }).toString("utf8");
}

function dictionaryWith(beside: string): Buffer {
  return beside === "" ? dictionaryBytes : Buffer.concat([dictionaryBytes, Buffer.from(beside)]);
}
