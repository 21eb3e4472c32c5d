import { crc32 } from "node:zlib";
import type { Db } from "../db/open.ts";
import { packBody, packVersions, type StoredVersion } from "../db/pack.ts";
import { createVersionChains } from "../db/version-chains.ts";

/** How an order's versions are stored, as `orders.packing` and `removed_orders.packing` say. */
export const packing = { asWritten: 0, packed: 1, thinned: 2 } as const;

/** Packing an order with more than this in its versions would block the service: it stays as written until it is thinned. */
const MOST_BYTES = 1024 * 1024;

/** What is kept of a finished order besides its first and its newest version: `numbered` is what accounting got. */
const keptKinds: ReadonlySet<string> = new Set(["sent", "paid", "numbered"]);

/** Packs the versions of finished orders, in the caller's transaction. */
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
  const deleteRow = db.prepare<[number]>("DELETE FROM order_versions WHERE id = ?");

  /** Deletes a row and all before it. */
  function deleteFrom(id: number | null): void {
    for (let each = id; each !== null;) {
      const previous = previousOf.get(each)?.previousId ?? null;
      deleteRow.run(each);
      each = previous;
    }
  }

  /** Keeps the earlier versions for which `isKept` is true. A damaged order stays as it is, for the check to find. */
  function repack(id: number, isKept: (version: StoredVersion, index: number) => boolean): void {
    const versions = readSound(id);
    const newest = versions?.at(-1);
    if (versions === null || newest === undefined) return;
    const earlier = versions.slice(0, -1).filter(isKept);
    const previousId = previousOf.get(id)?.previousId ?? null;
    store.run({
      id,
      packed: packBody(newest.body),
      earlier: earlier.length === 0 ? null : packVersions(earlier, newest.body),
    });
    deleteFrom(previousId);
  }

  function readSound(id: number): StoredVersion[] | null {
    try {
      const versions = chains.all(id);
      return versions.every(({ body, checksum }) => crc32(body) === checksum) ? versions : null;
    } catch {
      return null;
    }
  }

  return {
    /** Packs all versions of an order into the row of its newest, `id`. */
    pack(id: number): void {
      if ((bytesOf.get({ id })?.n ?? 0) <= MOST_BYTES) repack(id, () => true);
    },
    /** The same, and keeps no more of them than the first, those sent to the kitchen, the paid and the last one. */
    thin: (id: number): void => repack(id, ({ kind }, index) => index === 0 || keptKinds.has(kind)),
    /** Deletes all versions of an order. */
    remove: (id: number): void => deleteFrom(id),
  };
}
