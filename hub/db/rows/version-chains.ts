import type Database from "better-sqlite3";
import { plainColumn, unpackEarlier, type Pack, type StoredVersion } from "./pack.ts";
import { registerSeal } from "./seal.ts";

interface PackRow {
  earlier: Buffer;
  body: string;
}

const HEAD = "version, origin, user_name AS userName, kind, is_content AS isContent, at, write_seq AS writeSeq";

/** SQL for `chain`, the rows of an order from the row `@id` back to the first. */
const CHAIN = `
  WITH RECURSIVE chain (id, previous_id) AS (
    SELECT id, previous_id FROM order_versions WHERE id = @id
    UNION ALL
    SELECT v.id, v.previous_id FROM chain JOIN order_versions v ON v.id = chain.previous_id)`;

/**
 * Reads the versions of an order by the id of its newest row, whether they have their own rows or are packed in the row of a
 * later version. Throws a DamagedPack if a pack cannot be read. The caller must compare rows with their checksums.
 */
export function createVersionChains(db: Database.Database) {
  registerSeal(db);
  const body = plainColumn("v");
  const rows = db.prepare<{ id: number }, StoredVersion>(
    `${CHAIN} SELECT ${HEAD}, ${body} AS body, checksum FROM chain JOIN order_versions v USING (id) ORDER BY version`,
  );
  const single = db.prepare<{ id: number; version: number }, StoredVersion>(`
    WITH RECURSIVE chain (id, version, previous_id) AS (
      SELECT id, version, previous_id FROM order_versions WHERE id = @id
      UNION ALL
      SELECT v.id, v.version, v.previous_id
      FROM chain JOIN order_versions v ON v.id = chain.previous_id WHERE chain.version > @version)
    SELECT v.version, v.origin, v.user_name AS userName, v.kind, v.is_content AS isContent, v.at, v.write_seq AS writeSeq,
      ${body} AS body, v.checksum
    FROM chain JOIN order_versions v ON v.id = chain.id WHERE chain.version = @version`);
  const packs = db.prepare<{ id: number }, PackRow>(
    `${CHAIN} SELECT earlier, ${body} AS body FROM chain JOIN order_versions v USING (id) WHERE earlier IS NOT NULL`,
  );

  const packsOf = (id: number): Pack[] =>
    packs.all({ id }).map(({ earlier, body: extra }) => unpackEarlier(earlier, extra));
  const packed = (id: number): StoredVersion[] => packsOf(id).flatMap(({ versions }) => versions);

  function inOrder(before: StoredVersion[], after: StoredVersion[]): StoredVersion[] {
    return before.length === 0 ? after : [...before, ...after].sort((a, b) => a.version - b.version);
  }

  return {
    /** Reads every version, oldest first, and the tickets packed with them. */
    whole(id: number): Pack {
      const found = packsOf(id);
      const versions = found.flatMap((each) => each.versions);
      return { versions: inOrder(versions, rows.all({ id })), tickets: found.flatMap((each) => each.tickets) };
    },
    /** Every version, oldest first. */
    all: (id: number): StoredVersion[] => inOrder(packed(id), rows.all({ id })),
    find: (id: number, version: number): StoredVersion | null =>
      single.get({ id, version }) ?? packed(id).find((each) => each.version === version) ?? null,
  };
}
