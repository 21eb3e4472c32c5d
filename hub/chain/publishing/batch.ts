import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync } from "node:zlib";
import {
  CHAIN_VERSION,
  type ChainBatch,
  type ChainDigest,
  type ChainFact,
  MAX_BATCH_BYTES,
  MAX_BATCH_OBJECTS,
} from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";
import type { ChainKind, ChainObject } from "../source/chain-source.ts";

const compressAside = promisify(zstdCompress);

/** Characters of JSON per batch: far below what headquarters unpack, and quick to compress. */
const MAX_TEXT = 1024 * 1024;
/** Up to this many bytes are compressed synchronously, in under 1 ms. A stream and a thread would cost more for so little. */
const SYNC_BYTES = 64 * 1024;
/** Objects serialized per turn of the event loop: a few milliseconds on a slow machine. */
const OBJECTS_PER_TURN = 25;

/** An object with its JSON. */
interface Entry extends Pick<ChainObject, "kind" | "seq" | "presentSmall"> {
  json: string;
}

/** The header of a batch. All its `facts` are sent, however few objects fit. */
export interface BatchHead extends Pick<
  ChainBatch,
  "r" | "hubId" | "generation" | "epoch" | "formerEpochs" | "at" | "clock" | "hub" | "pricing"
> {
  full?: "part" | "end";
  cut?: number;
  since?: string;
  factsAfter: number;
  facts: ChainFact[];
}

/** The range that a batch covers. Computed again if not everything fits. */
export interface BatchRange {
  from: number;
  to: number;
  full?: "part" | "end";
  more?: true;
  digest?: ChainDigest;
}

export interface PackedBatch extends BatchRange {
  payload: Uint8Array;
}

/** Serializes objects over several turns of the event loop. Leaves out those that cannot be shown. */
export async function presentObjects(world: World, objects: readonly ChainObject[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [index, object] of objects.entries()) {
    if (index > 0 && index % OBJECTS_PER_TURN === 0) await new Promise<void>((go) => world.timers.setImmediate(go));
    const { kind, seq, present, presentSmall } = object;
    const json = present();
    if (json === null) continue;
    entries.push({ kind, seq, presentSmall, json: json.length > MAX_TEXT ? presentSmall(json.length) : json });
  }
  return entries;
}

/**
 * Packs as many of `entries` as one message holds: the first ones, or for a full transfer the last ones. `rangeOf` returns the
 * range of a batch that holds only `included`.
 */
export async function packBatch(
  head: BatchHead,
  entries: readonly Entry[],
  side: "first" | "last",
  rangeOf: (included: readonly Entry[], isAll: boolean) => BatchRange,
): Promise<PackedBatch> {
  let included = within(entries, side);
  for (;;) {
    const range = rangeOf(included, included.length === entries.length);
    const payload = await compress(writeBatch(head, range, included));
    if (payload.byteLength <= MAX_BATCH_BYTES) return { ...range, payload };
    const [only, ...others] = included;
    if (only === undefined) throw new Error("the facts alone are too large for a message");
    if (others.length === 0) {
      const small = only.presentSmall(only.json.length);
      if (small === only.json) throw new Error("an object is too large for a message");
      included = [{ ...only, json: small }];
    } else {
      const half = Math.ceil(included.length / 2);
      included = side === "first" ? included.slice(0, half) : included.slice(-half);
    }
  }
}

async function compress(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text);
  return bytes.byteLength <= SYNC_BYTES ? zstdCompressSync(bytes) : compressAside(bytes);
}

/** Takes as many entries as the limits of count and text allow, at least one. */
function within(entries: readonly Entry[], side: "first" | "last"): Entry[] {
  const ordered = side === "first" ? entries : entries.toReversed();
  const included: Entry[] = [];
  let text = 0;
  for (const entry of ordered) {
    text += entry.json.length;
    if (included.length === MAX_BATCH_OBJECTS || (included.length > 0 && text > MAX_TEXT)) break;
    included.push(entry);
  }
  return side === "first" ? included : included.reverse();
}

function writeBatch(head: BatchHead, { from, to, full, more, digest }: BatchRange, entries: readonly Entry[]): string {
  const { facts, cut, since, ...rest } = head;
  const isFull =
    full === undefined ? {} : { full, ...(cut !== undefined && { cut }), ...(since !== undefined && { since }) };
  const optional = { ...(more && { more }), ...(digest && { digest }) };
  const envelope = JSON.stringify({ v: CHAIN_VERSION, ...rest, from, to, ...isFull, ...optional });
  const lists = (["orders", "removed", "tables", "items"] satisfies ChainKind[]).map((kind) => {
    const texts = entries.flatMap((entry) => (entry.kind === kind ? [entry.json] : []));
    return `"${kind}":[${texts.join(",")}]`;
  });
  return `${envelope.slice(0, -1)},${lists.join(",")},"facts":${JSON.stringify(facts)}}`;
}
