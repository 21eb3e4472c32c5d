import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { brokenInput } from "@comanda/protocol";
import {
  CHAIN_VERSION,
  ChainBatch,
  chainHeaders,
  MAX_BATCH_OBJECTS,
  MAX_UNPACKED_BYTES,
  readSentPlace,
  restaurantOf,
  type SentPlace,
} from "@comanda/protocol/chain.ts";
import { parseJson } from "../parse-json.ts";
import { clockOfZone } from "./instants.ts";

const decompress = promisify(zstdDecompress);
const MAX_DEPTH = 64;

/** A message of the stream. */
export interface BatchMessage {
  subject: string;
  seq: number;
  data: Uint8Array;
  headers?: { get(name: string): string } | undefined;
}

/** A batch that headquarters cannot use. */
export interface BadBatch {
  /** From the subject; null if it names none. */
  restaurant: string | null;
  reason: string;
  /** The position after the batch, from its header; null if the header has none. */
  place: SentPlace | null;
  /** The raw header `Place`, which is the same when the batch is sent again. */
  range: string;
  /** A newer version of headquarters can read the batch, so it must not be skipped. */
  isTooNew: boolean;
}

export type Decoded =
  | { kind: "batch"; restaurant: string; batch: ChainBatch; range: string; bytes: number }
  | ({ kind: "bad" } & BadBatch);

/** Decodes a message and validates everything in it. */
export async function decodeBatch(message: BatchMessage): Promise<Decoded> {
  const restaurant = restaurantOf(message.subject);
  // PostgreSQL does not accept NUL in text.
  const range = message.headers?.get(chainHeaders.place).slice(0, 200).replaceAll("\0", " ") ?? "";
  const bad = (reason: string, isTooNew = false): Decoded => ({
    kind: "bad",
    restaurant,
    reason: reason.slice(0, 300),
    place: readSentPlace(range),
    range,
    isTooNew,
  });
  if (restaurant === null) return bad("the subject names no restaurant");
  const version = message.headers?.get(chainHeaders.version);
  if (version !== undefined && version !== "" && Number(version) > CHAIN_VERSION) {
    return bad(`version ${version.slice(0, 20)}`, true);
  }

  let unpacked: Buffer;
  try {
    unpacked = await decompress(message.data, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    const isTooLarge = error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return bad(isTooLarge ? `more than ${MAX_UNPACKED_BYTES} bytes unpacked` : "not compressed with zstd");
  }
  const value = parseJson(unpacked);
  if (value === undefined) return bad("not JSON in UTF-8");
  const broken = brokenInput(value, MAX_DEPTH);
  if (broken !== null) return bad(broken);
  if (typeof value === "object" && value !== null && "v" in value && Number(value.v) > CHAIN_VERSION) {
    return bad(`version ${String(value.v)}`, true);
  }
  const read = ChainBatch.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return bad(`${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`);
  }
  const problem = problemOf(read.data, restaurant);
  return problem === null
    ? { kind: "batch", restaurant, batch: read.data, range, bytes: unpacked.byteLength }
    : bad(problem);
}

/** Describes a batch that turned out to be unusable only when it was written. */
export function badBatch(
  { restaurant, range }: { restaurant: string | null; range: string },
  reason: string,
): Extract<Decoded, { kind: "bad" }> {
  return { kind: "bad", restaurant, reason, place: readSentPlace(range), range, isTooNew: false };
}

/** Checks what the schema cannot express. Returns the problem, or null. */
function problemOf(batch: ChainBatch, restaurant: string): string | null {
  const { r, from, to, full, cut, orders, removed, tables, items, facts, factsAfter, clock } = batch;
  if (r !== restaurant) return `r: ${r} is not the restaurant of the subject`;
  if (from > to) return "from: lies behind to";
  if (full !== undefined && (cut === undefined || cut < to)) return "cut: does not close the transfer";
  if (full !== undefined && (full === "end") !== (from === 0)) return "full: the end begins at 0";
  if (clockOfZone(clock.zone) === null) return "clock.zone: is no time zone";
  const objects = [orders, removed, tables, items];
  if (objects.reduce((count, { length }) => count + length, 0) > MAX_BATCH_OBJECTS) return "more objects than allowed";
  for (const list of objects) {
    let last = from;
    for (const { seq } of list) {
      if (seq <= last || seq > to) return `seq ${seq}: out of order, or outside of the batch`;
      last = seq;
    }
  }
  let lastFact = factsAfter;
  for (const { id } of facts) {
    if (id <= lastFact) return `fact ${id}: out of order`;
    lastFact = id;
  }
  return null;
}
