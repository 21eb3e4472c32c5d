import { isDeepStrictEqual } from "node:util";
import { crc32 } from "node:zlib";
import type { Db } from "../db/open.ts";
import {
  type Pack,
  type PackedTicket,
  packBody,
  packEarlier,
  plainBody,
  type StoredVersion,
  unpackEarlier,
} from "../db/rows/pack.ts";
import { createVersionChains } from "../db/rows/version-chains.ts";

/**
 * How an order is stored (`orders.packing`, `removed_orders.packing`): the form of its versions and, if settled, with its
 * kitchen tickets in the pack.
 */
export const packing = { asWritten: 0, packed: 1, thinned: 2, settled: 3, settledThinned: 4 } as const;

/** Packing an order with more bytes of versions would block the service: it stays as written until it is thinned. */
const MAX_BYTES = 1024 * 1024;

/** Versions kept of a thinned order beside the first and newest. `numbered` is what accounting received. */
const retainedKinds: ReadonlySet<string> = new Set(["sent", "paid", "numbered", "refunded"]);

/** The row that now holds an order, with the tickets in its pack. */
export interface Packed {
  id: number;
  tickets: readonly PackedTicket[];
}

export type Packer = ReturnType<typeof createPacker>;

/** Packs the versions of finished orders in the caller's transaction. */
export function createPacker(db: Db) {
  const chains = createVersionChains(db);
  const bytesOf = db.prepare<{ id: number }, { n: number }>(`
    WITH RECURSIVE chain (bytes, previous_id) AS (
      SELECT octet_length(body), previous_id FROM order_versions WHERE id = @id
      UNION ALL
      SELECT octet_length(v.body), v.previous_id FROM chain JOIN order_versions v ON v.id = chain.previous_id)
    SELECT sum(bytes) AS n FROM chain`);
  const store = db.prepare<{ id: number; packed: Buffer; earlier: Buffer | null }>(`
    UPDATE order_versions SET body = '', packed = @packed, earlier = @earlier, previous_id = NULL WHERE id = @id`);
  const previousOf = db.prepare<[number], { previousId: number | null }>(
    "SELECT previous_id AS previousId FROM order_versions WHERE id = ?",
  );
  // Moves the row to the end, next to other packed rows. In its old place, pages would stay half empty.
  const move = db
    .prepare<[number], number>(
      "UPDATE order_versions SET id = (SELECT max(id) + 1 FROM order_versions) WHERE id = ? RETURNING id",
    )
    .pluck();
  const deleteRow = db.prepare<[number]>("DELETE FROM order_versions WHERE id = ?");

  /** Deletes a row and all versions before it. */
  function deleteFrom(id: number | null): void {
    for (let each = id; each !== null;) {
      const previous = previousOf.get(each)?.previousId ?? null;
      deleteRow.run(each);
      each = previous;
    }
  }

  /**
   * Packs the earlier versions that pass `isRetained`, and adds tickets. Returns null for a damaged order and leaves it for the
   * check to find. Deletes the originals only after reading them back from the pack.
   */
  function repack(
    id: number,
    isRetained: (version: StoredVersion, index: number) => boolean,
    added: readonly PackedTicket[] = [],
  ): Packed | null {
    const whole = readSound(id);
    const newest = whole?.versions.at(-1);
    if (whole === null || newest === undefined) return null;
    const versions = whole.versions.slice(0, -1).filter(isRetained);
    // Tickets changed since they were packed are packed again.
    const tickets = [...new Map([...whole.tickets, ...added].map((each) => [each.ticketId, each])).values()];
    const packed = packBody(newest.body);
    const isSingle = versions.length + tickets.length === 0;
    const earlier = isSingle ? null : packEarlier({ versions, tickets }, newest.body);
    if (!isReadBack({ versions, tickets }, newest.body, packed, earlier)) return null;
    const previousId = previousOf.get(id)?.previousId ?? null;
    store.run({ id, packed, earlier });
    deleteFrom(previousId);
    return { id, tickets };
  }

  function readSound(id: number): Pack | null {
    try {
      const whole = chains.whole(id);
      return whole.versions.every(({ body, checksum }) => crc32(body) === checksum) ? whole : null;
    } catch {
      return null;
    }
  }

  return {
    /** Packs all versions of an order into the row of its newest, `id`. */
    pack: (id: number): Packed | null => ((bytesOf.get({ id })?.n ?? 0) <= MAX_BYTES ? repack(id, () => true) : null),
    /** Packs an order with kitchen tickets and, if `isThinned`, only the versions that thinning keeps. Returns the new row. */
    settle(id: number, tickets: readonly PackedTicket[], isThinned: boolean): Packed | null {
      const packed = repack(id, isThinned ? isRetainedThinned : () => true, tickets);
      return packed === null ? null : { ...packed, id: move.get(packed.id) ?? packed.id };
    },
    /** Returns the tickets packed with an order; none if they cannot be read. */
    ticketsOf: (id: number): readonly PackedTicket[] => readSound(id)?.tickets ?? [],
    /** Deletes all versions of an order. */
    remove: (id: number): void => deleteFrom(id),
  };
}

function isRetainedThinned({ kind }: StoredVersion, index: number): boolean {
  return index === 0 || retainedKinds.has(kind);
}

function isReadBack({ versions, tickets }: Pack, body: string, packed: Buffer, earlier: Buffer | null): boolean {
  if (plainBody("", packed) !== body) return false;
  if (earlier === null) return true;
  try {
    const back = unpackEarlier(earlier, body);
    return isDeepStrictEqual(back.versions, versions) && isDeepStrictEqual(back.tickets, tickets);
  } catch {
    return false;
  }
}
