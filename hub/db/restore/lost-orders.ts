import { crc32 } from "node:zlib";
import type { Snapshot, StoredOrder } from "@comanda/protocol";
import type { Database } from "better-sqlite3";
import { hasMoreKitchenWork } from "./kitchen-work.ts";
import type { StoredVersion } from "../rows/pack.ts";
import { parseColumn } from "../rows/parse-column.ts";
import { type LostOrder, readFromBothEnds, salvageOrders } from "./salvage-orders.ts";
import { createVersionChains } from "../rows/version-chains.ts";

interface Head {
  posReference: string;
  version: number;
  seq: number;
  bodyId: number;
  isActive: number;
  updatedAt: number;
}

const HEADS = `
  SELECT pos_reference AS posReference, version, seq, body_id AS bodyId, is_active AS isActive,
    updated_at AS updatedAt FROM orders`;

/**
 * Finds orders whose newest version in `replaced` is missing in `restored`. `lost` is sorted newest first. `further` are orders
 * that have later versions in `replaced` but need no decision; their version numbers are used. A damaged `replaced` is read as
 * far as possible; `isWhole` says whether all of it was read.
 */
export function findLostOrders(
  restored: Database,
  replaced: Database,
): { lost: LostOrder[]; further: Pick<LostOrder, "posReference" | "version">[]; isWhole: boolean } {
  const restoredHeads = new Map(
    restored
      .prepare<[], Head>(HEADS)
      .all()
      .map((head) => [head.posReference, head]),
  );
  const restoredRemoval = restored.prepare<[string], { version: number }>(
    "SELECT version FROM removed_orders WHERE pos_reference = ?",
  );
  const restoredVersion = prepareVersion(restored);
  const found = new Map<string, LostOrder>();
  const further: Pick<LostOrder, "posReference" | "version">[] = [];
  let isWhole = true;

  /** Continues after an error, because one unreadable page must not hide orders on other pages. */
  function attempt(work: () => void): void {
    try {
      work();
    } catch {
      isWhole = false;
    }
  }

  function compare(head: Head, replacedVersion: VersionReader): void {
    const { posReference, version } = head;
    const restoredHead = restoredHeads.get(posReference);
    if (restoredHead !== undefined && isSame(restoredHead, head)) return;
    if ((restoredRemoval.get(posReference)?.version ?? 0) > version) return;
    const newest = replacedVersion.get({ posReference, bodyId: head.bodyId, version });
    if (newest === undefined || crc32(newest.body) !== newest.checksum) throw new Error("the order cannot be read");
    if (
      restoredHead !== undefined &&
      restoredHead.version >= version &&
      hasVersion(restoredVersion, restoredHead, newest)
    )
      return;
    const isPaid = head.isActive === 0;
    let kind: LostOrder["kind"] = isPaid ? "order_paid" : restoredHead === undefined ? "order_missing" : "order_older";
    if (isPaid && restoredHead?.isActive === 0) {
      // Paid in both files. The back-office confirms the order again, but kitchen work would be lost.
      const restoredBody = restoredVersion.get({
        posReference,
        bodyId: restoredHead.bodyId,
        version: restoredHead.version,
      });
      if (restoredBody !== undefined && hasVersion(replacedVersion, head, restoredBody)) {
        if (!hasMoreKitchenWork(snapshotOf(newest), snapshotOf(restoredBody))) {
          further.push({ posReference, version });
          return;
        }
        kind = "kitchen_work";
      }
    }
    const { body, at, userName } = newest;
    found.set(posReference, { kind, posReference, version, body, at, by: userName, source: "replaced_file" });
  }

  const replacedHeads: Head[] = [];
  const compared = new Set<string>();
  const isEveryHeadRead = readFromBothEnds<Head>(replaced, HEADS, "pos_reference", (head) => replacedHeads.push(head));
  if (!isEveryHeadRead) isWhole = false;
  attempt(() => {
    const replacedVersion = prepareVersion(replaced);
    for (const head of replacedHeads) {
      attempt(() => {
        compare(head, replacedVersion);
        compared.add(head.posReference);
      });
    }
  });
  attempt(() => {
    for (const removal of replaced.prepare<[], Removal>(REMOVALS).all()) {
      const { posReference, version, at, mergedInto } = removal;
      const restoredHead = restoredHeads.get(posReference);
      if (restoredHead === undefined || restoredHead.isActive === 0 || restoredHead.version >= version) continue;
      const source = "replaced_file";
      const mark = { posReference, version, body: null, at, by: null, source } as const;
      if (mergedInto === null) found.set(posReference, { kind: "order_discarded", ...mark });
      else
        found.set(posReference, { kind: "order_merged", ...mark, mergedInto: parseColumn<string[]>(mergedInto, []) });
    }
  });
  if (!isWhole) {
    const seen = new Set([...compared, ...found.keys()]);
    for (const order of salvageOrders(replaced)) {
      const { posReference, version } = order;
      const restoredHead = restoredHeads.get(posReference);
      if (seen.has(posReference) || (restoredHead?.version ?? 0) >= version) continue;
      if ((restoredRemoval.get(posReference)?.version ?? 0) > version) continue;
      if (order.body === null && restoredHead?.isActive !== 1) continue;
      seen.add(posReference);
      const kind = order.kind === "order_older" && restoredHead === undefined ? "order_missing" : order.kind;
      found.set(posReference, { ...order, kind });
    }
  }
  return { lost: [...found.values()].sort((a, b) => b.at - a.at), further, isWhole };
}

/** Returns a function that tells whether a file has this version of an order with this content, newest or earlier. */
export function knownVersions(db: Database): (posReference: string, version: number, body: string) => boolean {
  const head = db.prepare<[string], { bodyId: number }>("SELECT body_id AS bodyId FROM orders WHERE pos_reference = ?");
  const versions = prepareVersion(db);
  return (posReference, version, body) => {
    const bodyId = head.get(posReference)?.bodyId;
    return bodyId !== undefined && versions.get({ posReference, bodyId, version })?.body === body;
  };
}

/** Whether two heads are the same change. Two histories may use the same seq, but not at the same time. */
function isSame(a: Head, b: Head): boolean {
  return a.version === b.version && a.seq === b.seq && a.bodyId === b.bodyId && a.updatedAt === b.updatedAt;
}

function snapshotOf({ body }: StoredVersion): Snapshot {
  return (JSON.parse(body) as StoredOrder).snapshot;
}

type VersionReader = ReturnType<typeof prepareVersion>;

/** Finds a version of an order by the id of its newest row; undefined if that row is missing or of another order. */
function prepareVersion(db: Database) {
  const chains = createVersionChains(db);
  const isOf = db.prepare<[number, string]>("SELECT 1 FROM order_versions WHERE id = ? AND pos_reference = ?");
  return {
    get({ posReference, bodyId, version }: { posReference: string; bodyId: number; version: number }) {
      if (isOf.get(bodyId, posReference) === undefined) return undefined;
      return chains.find(bodyId, version) ?? undefined;
    },
  };
}

function hasVersion(versions: VersionReader, head: Head, version: StoredVersion): boolean {
  const { posReference, bodyId } = head;
  return versions.get({ posReference, bodyId, version: version.version })?.body === version.body;
}

interface Removal {
  posReference: string;
  version: number;
  at: number;
  mergedInto: string | null;
}

const REMOVALS = `
  SELECT pos_reference AS posReference, version, removed_at AS at, merged_into AS mergedInto FROM removed_orders
  ORDER BY seq DESC`;
