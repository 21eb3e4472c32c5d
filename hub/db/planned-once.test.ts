import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { plannedOnce } from "./planned-once.ts";

it("a statement is planned once, whatever values are bound to it [DB-162]", () => {
  const db = new Database(":memory:");
  onTestFinished(() => void db.close());
  db.exec("CREATE TABLE dishes (name TEXT, state INTEGER) STRICT; CREATE INDEX some ON dishes (name) WHERE state = 5");
  const plansOf = (sql: string): unknown[] => {
    const statement = db.prepare<{ state: number }, { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
    return [4, 5].map((state) => statement.all({ state }).map(({ detail }) => detail));
  };
  const sql = "SELECT name FROM dishes WHERE state = @state ORDER BY name";
  const [other, five] = plansOf(sql);
  // Without the rewrite SQLite plans again: with 5 it uses the index.
  expect(five).not.toEqual(other);
  expect(plansOf(plannedOnce(sql))).toEqual([other, other]);
});
