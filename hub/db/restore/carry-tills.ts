import type Database from "better-sqlite3";
import { soundRow } from "../integrity/sealed-tables.ts";
import { copyRows, type Row } from "./copy-rows.ts";

const tillTables: Readonly<Record<string, string>> = {
  tills: "till_id, name, printer, terminals, is_removed, money_before",
  shifts:
    "shift_id, till_id, till_name, state, opened_at, opened_by, cash_method, float, floats, counted_at, closed_at, report",
  shift_events: "id, shift_id, till_id, kind, mutation_id, at, body",
  till_money:
    "id, identity, pos_reference, kind, method_id, amount, tip, drawer, currency, foreign_amount, staff_name, user_name, " +
    "terminal_id, at, session, shift_id, queued_shift_id, is_kept, is_settling, is_late, assigned_by, assigned_at",
};

/**
 * Carries over the latest state of tills, shifts and their money, even for checks that are lost. Also carries over answers to
 * till mutations, because terminals retry mutations that were not answered.
 */
export function carryTills(db: Database.Database, replaced: Database.Database): void {
  for (const [table, columns] of Object.entries(tillTables)) {
    const seq = table === "tills" ? ", seq" : "";
    const upsert = db.prepare(`
      INSERT OR REPLACE INTO ${table} (${columns}${seq})
      VALUES (${columns.replace(/\w+/g, "@$&")}${seq === "" ? "" : ", (SELECT seq FROM hub_state)"})`);
    for (const row of replaced.prepare<[], Row>(`SELECT ${columns} FROM ${table}`).iterate()) upsert.run(row);
  }
  const only = "json_valid(answer) AND answer ->> '$.tillId' IS NOT NULL";
  const known = new Set(db.prepare<[], string>(`SELECT mutation_id FROM mutations WHERE ${only}`).pluck().all());
  // The seq of an answer is of the replaced history. A terminal would wait until the hub reaches it.
  const reached = db.prepare("SELECT seq FROM hub_state").pluck().get();
  copyRows(db, replaced, "mutations", {
    columns: "mutation_id, digest, answer, at",
    only: `${only} AND ${soundRow(replaced, "mutations")}`,
    accepts: (row) => !known.has(String(row["mutation_id"])),
    change: (row) => ({
      ...row,
      answer: JSON.stringify({ ...(JSON.parse(String(row["answer"])) as object), seq: reached }),
    }),
  });
}
