import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { openDb } from "../open.ts";
import { init } from "./0001-init.ts";

it("[BO-132] brings a file of version 1 forward with its numbers, orders and credit notes", () => {
  const folder = mkdtempSync(join(tmpdir(), "backoffice-migration-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "data.sqlite");
  const old = new Database(path);
  init(old);
  old.exec(`
    INSERT INTO pos_session (id, opened_at) VALUES (1, 1);
    INSERT INTO user VALUES (6, 'manager', 'Marisol', 'manager', '[]', 's', 'h');
    INSERT INTO customer (id, name, credit_limit_cents) VALUES (51, 'Ana', 100);
    INSERT INTO pos_order VALUES (7, 'POS/7', 'paid', 'ui', 1, NULL, '{}', 1, 1), (8, 'POS/8', 'draft', 'ui', 1, NULL, '{}', 1, 1);
    INSERT INTO ncf_number VALUES ('B0200000001', 'B02', 'order', 7, NULL, '2026-12-31', 5),
      ('B0400000001', 'B04', 'credit_note', 7, NULL, NULL, 6), ('B0100000001', 'B01', 'order', 8, '101889901', NULL, 7);
    INSERT INTO credit_note VALUES (3, 7, 'B0400000001', 'B0200000001', '[]', 900, 6, 6);
    PRAGMA user_version = 1;`);
  old.close();

  const db = openDb(path);
  expect(
    db.prepare("SELECT ncf, holder, pos_reference, rnc, expires_on, given_at FROM ncf_number").raw().all(),
  ).toEqual([
    ["B0200000001", "order", "POS/7", null, "2026-12-31", 5],
    ["B0400000001", "credit_note", "POS/7", null, null, 6],
    ["B0100000001", "order", "POS/8", "101889901", null, 7],
  ]);
  expect(db.prepare("SELECT id, order_id, ncf, total_cents FROM credit_note").raw().all()).toEqual([
    [3, 7, "B0400000001", 900],
  ]);
  expect(db.pragma("foreign_key_check")).toEqual([]);
  expect(db.prepare("SELECT phone FROM customer").pluck().all()).toEqual([null]);
  db.close();
  openDb(path).close();
});
