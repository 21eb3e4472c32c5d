import type { StreamInfo } from "@nats-io/jetstream";
import type { Database, Queries } from "../db/database.ts";

/** Where the ingester stands in the stream; `created` tells a stream from one that was made anew. */
export interface StreamPosition {
  created: string;
  seq: number;
}

/** One ingester for all restaurants; from 2,000 on there will be more. */
const PARTITION = 0;

/** Where to go on in this stream: at its beginning where it is another one, or has lost what was read of it. */
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

/** Moves it within a transaction. Throws an Error where another ingester has moved it. */
export async function takePosition({ query }: Queries, { created, seq }: StreamPosition, to: number): Promise<void> {
  const moved = await query(
    `UPDATE stream_position SET seq = $4 WHERE partition = $1 AND stream_created = $2 AND seq = $3 RETURNING seq`,
    [PARTITION, created, seq, to],
  );
  if (moved.length === 0) throw new Error("another ingester has moved on in the stream");
}
