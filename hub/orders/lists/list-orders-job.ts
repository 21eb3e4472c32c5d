import type Database from "better-sqlite3";
import { defineReading } from "../../jobs/job.ts";
import { presentSummary } from "./present-order.ts";
import { BODY, readShowableBody, type Body } from "../store/stored-body.ts";

/** Number of characters per chunk. */
const CHUNK = 64 * 1024;
/** Number of orders read before other jobs get a turn. */
const SLICE = 100;
const IDS_SLICE = 5_000;

/**
 * Yields all orders in chunks of JSON text, `{orders: […]}`, newest activity first. Orders that cannot be shown are left
 * out; `damage` describes the first of them.
 */
export const listOrdersJob = defineReading("listOrders", function* listOrders(db, _input: { file: string }): Generator<
  string | undefined,
  { damage: { description: string | undefined } | null }
> {
  const read = db.prepare<[number], Body>(
    `SELECT ${BODY} AS body, v.checksum AS checksum FROM order_versions v WHERE v.id = ?`,
  );
  const moved = db.prepare<[number], Body>(
    `SELECT ${BODY} AS body, v.checksum AS checksum FROM orders o JOIN order_versions v ON v.id = o.body_id WHERE o.seq = ?`,
  );
  let damage: { what: string | undefined } | null = null;
  let text = '{"orders":[';
  let separator = "";
  for (const [index, { id, seq }] of (yield* newestVersions(db)).entries()) {
    const row = read.get(id) ?? moved.get(seq);
    const order = row === undefined ? null : readShowableBody(row, (description) => (damage ??= { what: description }));
    if (order !== null) {
      text += separator + JSON.stringify(presentSummary(order));
      separator = ",";
    }
    if (text.length >= CHUNK) {
      yield text;
      text = "";
    } else if (index % SLICE === 0) {
      yield undefined;
    }
  }
  yield `${text}]}`;
  return { damage };
});

/**
 * Reads the row ids of the newest version of every order in one transaction. Their content is read later, since versions never
 * change: a transaction that stays open for a slow reader would prevent emptying the write-ahead log. If retention moves a row
 * in the meantime, the order is found by its seq.
 */
function* newestVersions(db: Database.Database): Generator<undefined, { id: number; seq: number }[]> {
  const slice = db.prepare<[number], { seq: number; id: number }>(
    `SELECT seq, body_id AS id FROM orders WHERE seq < ? ORDER BY seq DESC LIMIT ${IDS_SLICE}`,
  );
  const newest: { id: number; seq: number }[] = [];
  db.exec("BEGIN");
  for (let below = Number.MAX_SAFE_INTEGER; ;) {
    const rows = slice.all(below);
    newest.push(...rows);
    const last = rows.at(-1);
    if (last === undefined) break;
    below = last.seq;
    yield undefined;
  }
  db.exec("COMMIT");
  return newest;
}
