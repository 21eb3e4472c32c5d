import { crc32 } from "node:zlib";
import type { StoredOrder, VersionKind as OperatorVersionKind } from "@comanda/protocol";
import type { Db } from "../../db/open.ts";
import { DamagedPack } from "../../db/rows/pack.ts";
import { sealWith } from "../../db/integrity/sealed-tables.ts";
import { createVersionChains } from "../../db/rows/version-chains.ts";
import { readRow } from "../../db/rows/read-row.ts";
import { BODY, readBody, type Body, type OnDamage } from "./stored-body.ts";

/** What a version changed. */
export type VersionKind = Exclude<OperatorVersionKind, "discarded">;

/** Kinds that do not change the content of an order, so that they do not conflict with edits. */
const otherKinds: ReadonlySet<VersionKind> = new Set<VersionKind>([
  "sent",
  "seen",
  "bumped",
  "served",
  "tendered",
  "tender_voided",
  "numbered",
  "signed",
  "refunded",
]);

export interface VersionRow {
  version: number;
  origin: string;
  userName: string | null;
  kind: VersionKind;
  /** Milliseconds since 1970. */
  at: number;
  /** Identifies the write: versions stored together have the same one, later ones a higher one. */
  writeSeq: number;
}

export type VersionStore = ReturnType<typeof createVersionStore>;

/** Stores all versions of orders, and the version numbers that must not be reused after a restore. */
export function createVersionStore(db: Db, onDamage: OnDamage) {
  const previous = "(SELECT body_id FROM orders WHERE pos_reference = @posReference)";
  const seal = sealWith(db, "order_versions", {
    pos_reference: "@posReference",
    version: "@version",
    origin: "@origin",
    user_name: "@userName",
    kind: "@kind",
    is_content: "@isContent",
    at: "@at",
    write_seq: "@writeSeq",
    checksum: "@checksum",
    previous_id: previous,
  });
  const insert = db.prepare<VersionRow & { posReference: string; isContent: 0 | 1; body: string; checksum: number }>(`
    INSERT INTO order_versions
      (pos_reference, version, origin, user_name, kind, is_content, at, write_seq, body, checksum, previous_id, seal)
    VALUES (@posReference, @version, @origin, @userName, @kind, @isContent, @at, @writeSeq, @body, @checksum,
      ${previous}, ${seal})`);
  const newestId = db
    .prepare<{ posReference: string }, number>(`
      SELECT body_id FROM orders WHERE pos_reference = @posReference
      UNION ALL SELECT last_id FROM removed_orders WHERE pos_reference = @posReference`)
    .pluck();
  const lastContent = db.prepare<{ posReference: string }, Body>(`
    SELECT ${BODY} AS body, checksum FROM order_versions v
    WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference
      UNION ALL SELECT last_id FROM removed_orders WHERE pos_reference = @posReference)`);
  // Stops at `@above`, because an order may have many versions. Active orders, the only ones queried, are never packed.
  const otherWriter = db.prepare<{ posReference: string; above: number; writer: string; contentOnly: 0 | 1 }>(`
    WITH RECURSIVE later (version, origin, is_content, previous_id) AS (
      SELECT version, origin, is_content, previous_id FROM order_versions
      WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference) AND version > @above
      UNION ALL
      SELECT v.version, v.origin, v.is_content, v.previous_id
      FROM later JOIN order_versions v ON v.id = later.previous_id WHERE v.version > @above)
    SELECT 1 FROM later WHERE origin <> @writer AND is_content >= @contentOnly LIMIT 1`);
  // Starts at the check's first version, since lines that came from the check are newer.
  const lineElsewhere = db.prepare<{ posReference: string; text: string; before: number }>(`
    WITH RECURSIVE own (id, previous_id) AS (
      SELECT id, previous_id FROM order_versions
      WHERE id = (SELECT body_id FROM orders WHERE pos_reference = @posReference)
      UNION ALL
      SELECT v.id, v.previous_id FROM own JOIN order_versions v ON v.id = own.previous_id)
    SELECT 1 FROM order_versions v
    WHERE id > (SELECT min(id) FROM own) AND write_seq < @before AND pos_reference <> @posReference AND instr(${BODY}, @text)
    LIMIT 1`);
  const setFloor = db.prepare<{ posReference: string; version: number }>(`
    INSERT INTO version_floors (pos_reference, version) VALUES (@posReference, @version)
    ON CONFLICT (pos_reference) DO UPDATE SET version = max(version, excluded.version)`);
  const floorOf = db.prepare<[string], number>("SELECT version FROM version_floors WHERE pos_reference = ?").pluck();
  const first = db
    .prepare<[], number>("SELECT at FROM order_versions WHERE id = (SELECT min(id) FROM order_versions)")
    .pluck();
  const chains = createVersionChains(db);

  /** Reads versions of a stored or removed order; returns `nothing` if there is no such order. */
  function readChain<T>(posReference: string, read: (id: number) => T, nothing: T): T {
    const id = newestId.get({ posReference });
    if (id === undefined) return nothing;
    try {
      return read(id);
    } catch (error) {
      if (error instanceof DamagedPack) onDamage();
      throw error;
    }
  }

  return {
    /** Stores a version and returns its row id; the caller must update the order to point at it. */
    insert(version: VersionRow & { posReference: string; body: string }): number | bigint {
      const isContent = otherKinds.has(version.kind) ? 0 : 1;
      return insert.run({ ...version, isContent, checksum: crc32(version.body) }).lastInsertRowid;
    },
    /** The number of the version after `previous`, above all numbers that terminals may have seen before a restore. */
    numberAfter: (posReference: string, previous: StoredOrder | null): number =>
      Math.max(previous?.version ?? 0, floorOf.get(posReference) ?? 0) + 1,
    /** Makes all later versions of this order higher than `version`. */
    raiseFloor: (posReference: string, version: number): void => void setFloor.run({ posReference, version }),

    /** When the oldest stored version was written, ms since 1970; null if there is none. */
    firstAt: (): number | null => first.get() ?? null,
    /** The current content of an order, or its last content before it was removed; null if it never existed. */
    lastContent: (posReference: string): StoredOrder | null =>
      readRow(lastContent.get({ posReference }), (row) => readBody(row, onDamage)),
    find: (posReference: string, version: number): Body | null =>
      readChain(posReference, (id) => chains.find(id, version), null),
    /** Every version with its content, oldest first. */
    listVersions: (posReference: string): (VersionRow & { order: StoredOrder })[] =>
      readChain(posReference, chains.all, []).map(({ version, origin, userName, kind, at, writeSeq, ...row }) => ({
        version,
        origin,
        userName,
        kind: kind as VersionKind,
        at,
        writeSeq,
        order: readBody(row, onDamage),
      })),
    /** Whether a line id of an active check was in a version of another check before a write. */
    wasLineElsewhere: ({ lineId, ...rest }: { posReference: string; lineId: string; before: number }): boolean =>
      lineElsewhere.get({ ...rest, text: `"id":${JSON.stringify(lineId)}` }) !== undefined,
    /** Whether another writer than `writer` wrote a version above `above`. */
    hasOtherWriter: (posReference: string, above: number, writer: string, contentOnly: boolean): boolean =>
      otherWriter.get({ posReference, above, writer, contentOnly: contentOnly ? 1 : 0 }) !== undefined,
  };
}
