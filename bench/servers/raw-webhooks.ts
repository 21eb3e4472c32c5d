import { createHmac } from "node:crypto";
import { Pool } from "undici";
import type { OrderTable } from "./order-table.ts";

const IN_FLIGHT = 32;

/** Creates the raw loop: adds a row per delivery in the write's transaction, then signs, posts and marks it as done. */
export function createRawWebhooks(
  table: OrderTable,
  url: string,
  secret: string,
): { record: (posReference: string, version: number, origin: string, json: string) => void; wake: () => void } {
  table.db.exec(
    "CREATE TABLE IF NOT EXISTS delivery (id INTEGER PRIMARY KEY, body TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0) STRICT",
  );
  const insert = table.db.prepare<[string]>("INSERT INTO delivery (body) VALUES (?)");
  const done = table.db.prepare<[number | bigint]>("UPDATE delivery SET done = 1 WHERE id = ?");
  const { origin: base, pathname } = new URL(url);
  const pool = new Pool(base, { connections: IN_FLIGHT, pipelining: 1 });
  const waiting: { id: number | bigint; body: string }[] = [];
  let delivered: (number | bigint)[] = [];
  let inFlight = 0;

  const settle = (): void => {
    const ids = delivered;
    delivered = [];
    table.commit(() => {
      for (const id of ids) done.run(id);
    });
  };
  const post = async (id: number | bigint, text: string): Promise<void> => {
    const body = `{"id":${id},${text}`;
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
    const answer = await pool.request({
      method: "POST",
      path: pathname,
      headers: {
        "content-type": "application/json",
        "x-hub-event": "order.updated",
        "x-hub-delivery": String(id),
        "x-hub-signature": `t=${t},v1=${v1}`,
      },
      body,
    });
    await answer.body.dump();
    inFlight -= 1;
    delivered.push(id);
    if (delivered.length === 1) setImmediate(settle);
    wake();
  };
  const wake = (): void => {
    while (inFlight < IN_FLIGHT) {
      const next = waiting.shift();
      if (next === undefined) return;
      inFlight += 1;
      void post(next.id, next.body);
    }
  };
  return {
    record(posReference, version, origin, json) {
      const snapshot = json.slice(json.indexOf('"snapshot":'), -1);
      const body = `"event":"order.updated","timestamp":"${new Date().toISOString()}","data":{"posReference":${JSON.stringify(posReference)},"version":${version},"origin":"${origin}",${snapshot}}}`;
      waiting.push({ id: insert.run(body).lastInsertRowid, body });
    },
    wake,
  };
}
