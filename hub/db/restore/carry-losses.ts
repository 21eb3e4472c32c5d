import { crc32 } from "node:zlib";
import type Database from "better-sqlite3";
import { isDiskFull } from "../../platform/error-facts.ts";
import { copyRows, type Row } from "./copy-rows.ts";
import { findLostOrders, knownVersions } from "./lost-orders.ts";
import type { LostOrder } from "./salvage-orders.ts";

/** Records lost orders as losses. Only a full disk stops the restore; after any other error `isListed` is false. */
export function listLost(db: Database.Database, replaced: Database.Database, now: number) {
  const add = db.transaction((order: LostOrder) => addLoss(db, replaced, order, now));
  let listed = 0;
  let isListed = true;
  let isWhole = false;
  try {
    const found = findLostOrders(db, replaced);
    ({ isWhole } = found);
    const raise = db.prepare(RAISE_FLOOR);
    for (const order of found.further) raise.run(order);
    // The newest order is inserted last, because the list shows the highest id first.
    for (const order of found.lost.toReversed()) {
      try {
        add(order);
        listed += 1;
      } catch (error) {
        if (isDiskFull(error)) throw error;
        isListed = false;
      }
    }
  } catch (error) {
    if (isDiskFull(error)) throw error;
    isListed = false;
  }
  return { listed, isWhole: isWhole && isListed, isListed };
}

/** Records a loss that says that the list of losses is incomplete. */
export function noteUnlisted(db: Database.Database, now: number): void {
  db.prepare(`
    INSERT INTO losses (kind, pos_reference, version, sources, known_at, found_at)
    VALUES ('not_listed', '', 0, '["replaced_file"]', @now, @now)`).run({ now });
}

function addLoss(
  db: Database.Database,
  replaced: Database.Database,
  { source, mergedInto, ...order }: LostOrder,
  now: number,
): void {
  const open = db.prepare<[string], { id: number; version: number; foundAt: number }>(`
    SELECT id, version, found_at AS foundAt FROM losses
    WHERE pos_reference = ? AND state = 'open' AND kind <> 'payment'`);
  const earlier = open.all(order.posReference);
  if (earlier.some(({ version }) => version >= order.version)) return;
  // A later version contains an earlier loss only if that loss was taken over. Otherwise both stay listed.
  const takenOver = replaced.prepare<[string, number]>(
    "SELECT 1 FROM losses WHERE pos_reference = ? AND found_at = ? AND state = 'taken_over'",
  );
  for (const { id, foundAt } of earlier) {
    if (takenOver.get(order.posReference, foundAt) === undefined) continue;
    db.prepare("DELETE FROM losses WHERE id = ?").run(id);
  }
  db.prepare(`
    INSERT INTO losses (kind, pos_reference, version, sources, known_at, known_by, body, checksum, detail, found_at)
    VALUES (@kind, @posReference, @version, @sources, @at, @by, @body, @checksum, @detail, @now)`).run({
    ...order,
    at: Number.isFinite(order.at) ? order.at : now,
    sources: JSON.stringify([source]),
    checksum: order.body === null ? null : crc32(order.body),
    detail: mergedInto === undefined ? null : JSON.stringify({ mergedInto }),
    now,
  });
  db.prepare(RAISE_FLOOR).run(order);
}

const RAISE_FLOOR = `
  INSERT INTO version_floors (pos_reference, version) VALUES (@posReference, @version)
  ON CONFLICT (pos_reference) DO UPDATE SET version = max(version, excluded.version)`;

/** Carries over earlier restores, open losses and dismissals, so that terminals cannot report a dismissed loss again. */
export function carryLosses(db: Database.Database, replaced: Database.Database): void {
  copyRows(db, replaced, "restores", {
    columns: "at, cause, by_name, backup, replaced, replaced_read, events_after, events_skipped",
    accepts: (row) => db.prepare("SELECT 1 FROM restores WHERE at = @at AND cause = @cause").get(row) === undefined,
    // The gap in event ids that an earlier restore left is not in this file.
    change: (row) => ({ ...row, events_after: 0, events_skipped: 0 }),
  });
  const isKnown = knownVersions(db);
  const isOpen = db.prepare<Row>(`
    SELECT 1 FROM losses WHERE state = 'open' AND pos_reference = @pos_reference AND kind = @kind AND version = @version`);
  const isDismissed = db.prepare<Row>(`
    SELECT 1 FROM losses WHERE state = 'dismissed' AND pos_reference = @pos_reference AND found_at = @found_at`);
  // A newer version of the lost order may have been found after the backup.
  const forget = db.prepare<Row>(`
    DELETE FROM losses
    WHERE state = 'open' AND pos_reference = @pos_reference AND found_at = @found_at AND version <= @version`);
  const settled = "state, settled_at, settled_by, settled_note";
  copyRows(db, replaced, "losses", {
    columns: `kind, pos_reference, version, sources, known_at, known_by, body, checksum, detail, found_at, ${settled}`,
    accepts(row) {
      if (row["state"] === "dismissed") {
        forget.run(row);
        return isDismissed.get(row) === undefined;
      }
      if (row["state"] !== "open" || isOpen.get(row) !== undefined) return false;
      // The restored backup may be the file that an earlier restore set aside.
      if (isKnown(String(row["pos_reference"]), Number(row["version"]), String(row["body"]))) return false;
      forget.run(row);
      return true;
    },
  });
  const raise = db.prepare(RAISE_FLOOR);
  for (const floor of replaced.prepare("SELECT pos_reference AS posReference, version FROM version_floors").all()) {
    raise.run(floor);
  }
}
