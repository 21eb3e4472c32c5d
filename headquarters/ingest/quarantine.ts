import type { Queries } from "../db/database.ts";
import type { BadBatch, BatchMessage } from "./decode-batch.ts";

const MAX_RAW = 64 * 1024;
/** Per restaurant: enough to find out what it sends. */
const MAX_ROWS = 200;
/** Per restaurant and transaction: limits the cost of a flood of garbage. */
const MAX_ROWS_AT_ONCE = 20;
/** After this many bad attempts, a range is skipped. */
export const MAX_BAD_ATTEMPTS = 3;

/** Stores the batches of one transaction that were not applied. */
export function createQuarantine(queries: Queries, now: Date) {
  const written = new Map<string, number>();

  return {
    /** Stores a batch. Returns how often its range was bad, including this time; 0 if the limit per transaction is reached. */
    async add(
      message: BatchMessage,
      { restaurant, reason, range }: Omit<BadBatch, "place" | "isTooNew">,
    ): Promise<number> {
      const key = restaurant ?? "";
      const count = written.get(key) ?? 0;
      if (count >= MAX_ROWS_AT_ONCE) return 0;
      written.set(key, count + 1);
      await queries.query(
        `INSERT INTO quarantine (restaurant_id, subject, stream_seq, at, reason, range, raw)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [restaurant, message.subject, message.seq, now, reason, range, Buffer.from(message.data.subarray(0, MAX_RAW))],
      );
      const [row] = await queries.query<{ times: number }>(
        `SELECT count(*)::int AS times FROM quarantine WHERE restaurant_id IS NOT DISTINCT FROM $1 AND range = $2`,
        [restaurant, range],
      );
      return row?.times ?? 0;
    },

    /** Deletes the oldest rows of the restaurants that rows were added for. */
    async tidy(): Promise<void> {
      for (const restaurant of written.keys()) {
        await queries.query(
          `DELETE FROM quarantine WHERE restaurant_id = $1 AND id <= (
             SELECT id FROM quarantine WHERE restaurant_id = $1 ORDER BY id DESC OFFSET ${MAX_ROWS} LIMIT 1)`,
          [restaurant],
        );
      }
    },

    /** Resets the count of a range that was skipped. */
    async forgive(restaurant: string, range: string): Promise<void> {
      await queries.query("UPDATE quarantine SET range = NULL WHERE restaurant_id = $1 AND range = $2", [
        restaurant,
        range,
      ]);
    },
  };
}
