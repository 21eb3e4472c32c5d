/** The raw drain: 20 queued rows at a time, one POST over a kept connection, one commit that marks them as forwarded. */
import { createServer } from "node:http";
import { Pool } from "undici";
import { openOrderTable } from "./order-table.ts";
import { serve, setting } from "./serve.ts";

const BATCH = 20;
const table = openOrderTable(setting("DB_PATH"));
const pool = new Pool(setting("ERP_URL"), { connections: 1, pipelining: 1 });
table.db.exec(
  "CREATE TABLE IF NOT EXISTS event (id INTEGER PRIMARY KEY, pos_reference TEXT NOT NULL, json TEXT NOT NULL, forwarded INTEGER NOT NULL DEFAULT 0) STRICT",
);
const next = table.db.prepare<[number], { id: number; pos_reference: string; json: string }>(
  "SELECT id, pos_reference, json FROM event WHERE forwarded = 0 AND id > ? ORDER BY id LIMIT 20",
);
const mark = table.db.prepare<[number]>("UPDATE event SET forwarded = 1 WHERE id = ?");

await serve(
  createServer((_request, response) => response.end()),
  () => table.db.close(),
);

let last = 0;
for (;;) {
  const events = next.all(last);
  if (events.length === 0) break;
  last = events.at(-1)?.id ?? last;
  const body = events.map(
    ({ id, pos_reference: posReference, json }) =>
      `{"eventId":${id},"type":"hub_finalize","posReference":"${posReference}","createdAt":"2026-01-01T00:00:00Z","order":${json}}`,
  );
  const answer = await pool.request({
    method: "POST",
    path: "/pos-api/v1/hub/batch-sync",
    headers: { "content-type": "application/json" },
    body: `{"hubId":"raw","events":[${body.join(",")}]}`,
  });
  const { results } = (await answer.body.json()) as { results: { eventId: number; status: string }[] };
  table.commit(() => {
    for (const result of results) if (result.status !== "failed") mark.run(result.eventId);
  });
  if (results.length < BATCH) break;
}
