import type { StreamInfo } from "@nats-io/jetstream";
import type { Database, Queries } from "../db/database.ts";

/** The ingester's position in the stream. `created` distinguishes the stream from one that was re-created. */
export interface StreamPosition {
  created: string;
  seq: number;
}

/** One ingester serves all restaurants. More than 2,000 restaurants will need more partitions. */
const PARTITION = 0;

/** Returns where to continue in this stream: at its beginning if it was re-created, or lost messages that were read. */
export async function startPosition(database: Database, { created, state }: StreamInfo): Promise<StreamPosition> {
  return database.transaction(async ({ query }) => {
    const [row] = await query<StreamPosition>(
      `SELECT stream_created AS created, seq FROM stream_position WHERE partition = $1 FOR UPDATE`,
      [PARTITION],
    );
    if (row?.created === created && row.seq <= state.last_seq) return row;
    await query(
      `INSERT INTO stream_position (partition, stream_created, seq) VALUES ($1, $2, 0)
       ON CONFLICT (partition) DO UPDATE SET stream_created = $2, seq = 0`,
      [PARTITION, created],
    );
    return { created, seq: 0 };
  });
}

/** Moves the position within a transaction. Throws an Error if another ingester has moved it. */
export async function takePosition({ query }: Queries, { created, seq }: StreamPosition, to: number): Promise<void> {
  const moved = await query(
    `UPDATE stream_position SET seq = $4 WHERE partition = $1 AND stream_created = $2 AND seq = $3 RETURNING seq`,
    [PARTITION, created, seq, to],
  );
  if (moved.length === 0) throw new Error("another ingester has moved on in the stream");
}
