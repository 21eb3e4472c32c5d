import type Database from "better-sqlite3";
import { parseColumn } from "../rows/parse-column.ts";
import { copyRows, type Row } from "./copy-rows.ts";

/** Name of the remembered list of checks whose refunds were carried over. A start adds these refunds to the checks. */
export const CARRIED_REFUNDS = "carried_refunds";

/**
 * Carries over refunds: credit notes that were made, are in doubt, or were settled on paper by a manager keep that state. Of
 * two refunds with the same credit note, keeps the one that says how the money is returned.
 */
export function carryRefunds(db: Database.Database, replaced: Database.Database, now: number): void {
  // Includes checks listed in the backup, which no start has processed yet.
  const remembered = db.prepare<[string], string>("SELECT value FROM remembered WHERE name = ?").pluck();
  const checks = new Set(parseColumn<unknown[]>(remembered.get(CARRIED_REFUNDS) ?? "[]", []));
  const existing = db.prepare<Row>("SELECT state FROM refunds WHERE refund_id = @refund_id").pluck();
  const settle = db.prepare(`
    UPDATE refunds SET state = @state, is_in_doubt = @is_in_doubt, body = @body, made_at = @made_at, session = @session,
      in_contingency = CASE state WHEN 'made' THEN min(in_contingency, @in_contingency) ELSE @in_contingency END
    WHERE refund_id = @refund_id
      AND (state = 'pending' OR (@state = 'made' AND ${isVague("body")} AND NOT ${isVague("@body")}))`);
  const noteReplaced = db.prepare<Row>(`
    UPDATE refunds SET in_contingency = 0
    WHERE refund_id = @refund_id AND state = 'made' AND @state = 'made' AND @in_contingency = 0`);
  try {
    copyRows(db, replaced, "refunds", {
      columns: "refund_id, pos_reference, state, is_in_doubt, asks_all, in_contingency, body, at, made_at, session",
      accepts(row) {
        const isNew = existing.get(row) === undefined;
        if (isNew || settle.run(row).changes > 0) checks.add(row["pos_reference"]);
        if (!isNew) noteReplaced.run(row);
        return isNew;
      },
    });
  } finally {
    db.prepare("INSERT OR REPLACE INTO remembered (name, value, at) VALUES (?, ?, ?)").run(
      CARRIED_REFUNDS,
      JSON.stringify([...checks]),
      now,
    );
    // A credit note that does not say how the money is returned duplicates the refund with the same number that does.
    const sameNote = `other.pos_reference = refunds.pos_reference AND other.refund_id <> refunds.refund_id
      AND other.state = 'made' AND ${ncfOf("other.body")} = ${ncfOf("refunds.body")}`;
    db.exec(`
      UPDATE refunds SET in_contingency = 0
      WHERE in_contingency = 1 AND EXISTS (SELECT 1 FROM refunds other WHERE ${sameNote} AND other.in_contingency = 0);
      DELETE FROM refunds WHERE state = 'made' AND ${isVague("body")}
        AND EXISTS (SELECT 1 FROM refunds other WHERE ${sameNote} AND NOT ${isVague("other.body")})`);
  }
}

/** Returns SQL for whether a refund does not say how its money is returned; NULL if its body is damaged. */
function isVague(body: string): string {
  return `(CASE WHEN json_valid(${body}) THEN json_array_length(${body}, '$.refund') = 0 END)`;
}

function ncfOf(body: string): string {
  return `(CASE WHEN json_valid(${body}) THEN ${body} ->> '$.ncf' END)`;
}
