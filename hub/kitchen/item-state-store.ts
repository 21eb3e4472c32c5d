import type { ItemState } from "@comanda/protocol";
import type { Stock } from "@comanda/rules";
import type { ChangeOf, Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { soundRow } from "../db/integrity/sealed-tables.ts";

/**
 * Stores which products are sold out or counted. Those available again are kept for a SYNC `delta`. Damaged rows are left out,
 * because one would break the SYNC of every terminal.
 */
export function createItemStateStore(db: Db) {
  const IS_SOUND = soundRow(db, "item_states");
  const all = db.prepare<[], { productId: string; body: string; since: number }>(
    `SELECT product_id AS productId, body, since FROM item_states WHERE ${IS_SOUND}`,
  );
  const listScarce = db
    .prepare<[], string>(`SELECT body FROM item_states WHERE is_available = 0 AND ${IS_SOUND} ORDER BY product_id`)
    .pluck();
  const count = db.prepare<[], number>("SELECT count(*) FROM item_states").pluck();
  const changedSince = db
    .prepare<[number], string>(`SELECT body FROM item_states WHERE seq > ? AND ${IS_SOUND} ORDER BY seq`)
    .pluck();
  const listEnded = db
    .prepare<[number], string>(`
      SELECT body FROM item_states WHERE is_available = 0 AND until <= ? AND ${IS_SOUND} ORDER BY until`)
    .pluck();
  const nextEnd = db
    .prepare<[], number | null>("SELECT min(until) FROM item_states WHERE is_available = 0 AND until IS NOT NULL")
    .pluck();
  const upsert = db.prepare<Record<string, string | number | null>>(`
    INSERT INTO item_states (product_id, seq, since, until, is_available, body)
    VALUES (@productId, @seq, @since, @until, @isAvailable, @body)
    ON CONFLICT (product_id) DO UPDATE SET
      seq = excluded.seq, since = excluded.since, until = excluded.until, is_available = excluded.is_available,
      body = excluded.body`);

  /** Cache: every send looks up each of its lines. Read on first use, and again after a rollback. */
  let cache: Map<string, Stock> | null = null;

  function load(): Map<string, Stock> {
    cache ??= new Map(
      all.all().map(({ productId, body, since }) => [productId, { itemState: JSON.parse(body) as ItemState, since }]),
    );
    return cache;
  }

  return {
    /** Returns null for a product that never ran out. */
    get: (productId: string | number): Stock | null => load().get(String(productId)) ?? null,
    /** Returns the states that are not simply available. */
    listScarce: (): ItemState[] => listScarce.all().map((body) => JSON.parse(body) as ItemState),
    count: (): number => count.get() ?? 0,
    /** Returns them serialized, for a SYNC. */
    wireScarce: (): string[] => listScarce.all(),
    /** Returns the states changed since, serialized, including products available again. */
    wireSince: (seq: number): string[] => changedSince.all(seq),
    /** Returns the states that end by `now` (ms since 1970). */
    listEnded: (now: number): ItemState[] => listEnded.all(now).map((body) => JSON.parse(body) as ItemState),
    /** Returns when the next product is available again (ms since 1970), or null. */
    nextEndAt: (): number | null => nextEnd.get() ?? null,

    /** Stores a state and returns the change. The caller emits it. */
    save(tx: Tx, { itemState, since }: Stock): ChangeOf<"item.changed"> {
      const seq = tx.nextSeq();
      upsert.run({
        productId: String(itemState.productId),
        seq,
        since,
        until: itemState.until === null ? null : Date.parse(itemState.until),
        isAvailable: itemState.state === "available" ? 1 : 0,
        body: JSON.stringify(itemState),
      });
      load().set(String(itemState.productId), { itemState, since });
      tx.onUndo(() => (cache = null));
      return { kind: "item.changed", seq, itemState };
    },
  };
}
