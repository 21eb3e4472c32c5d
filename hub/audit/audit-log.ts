import { foldText, type AuditAction, type AuditEntry, type Sentence } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import { readSentenceOrNull, sentenceColumn, messageSql } from "../db/rows/sentence-column.ts";
import { likePart } from "../db/rows/count-up-to.ts";
import type { Db } from "../db/open.ts";
import { defineQuery } from "../jobs/job.ts";
import { isoTime } from "../platform/world.ts";

interface AuditRow {
  id: number;
  /** ms since 1970 */
  at: number;
  userName: string;
  action: string;
  subject: string | null;
  detail: string | null;
}

const AUDIT_COLUMNS = "id, at, user_name AS userName, action, subject, detail";

/**
 * Returns entries whose user, action, subject or detail contains a text, ignoring case and accents, newest first. Reads the log
 * until the page is full.
 */
function searchAudit(db: Db, search: string, below: number, limit: number): AuditRow[] {
  const found = db.prepare<{ like: string; below: number; limit: number }, AuditRow>(`
    SELECT ${AUDIT_COLUMNS} FROM audit_log
    WHERE id < @below AND fold(concat_ws(char(10), user_name, action, subject, ${messageSql("detail")})) LIKE @like ESCAPE '\\'
    ORDER BY id DESC LIMIT @limit`);
  return found.all({ like: likePart(foldText(search)), below, limit });
}

export type AuditLog = ReturnType<typeof createAuditLog>;

/** Stores what operators did on this hub. Each entry is written in the transaction of its effect. */
export function createAuditLog(db: Db) {
  const insert = db.prepare<Omit<AuditRow, "id">>(`
    INSERT INTO audit_log (at, user_name, action, subject, detail) VALUES (@at, @userName, @action, @subject, @detail)`);
  const page = db.prepare<{ below: number; limit: number }, AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM audit_log WHERE id < @below ORDER BY id DESC LIMIT @limit`,
  );
  const listByTarget = db.prepare<[string], AuditRow>(
    `SELECT ${AUDIT_COLUMNS} FROM audit_log WHERE subject = ? ORDER BY id`,
  );

  return {
    record(tx: Tx, userName: string, action: AuditAction, target: string, note: Sentence | string | null = null): void {
      const detail = typeof note === "string" ? { words: note } : note;
      insert.run({
        at: tx.now,
        userName,
        action,
        subject: target,
        detail: detail === null ? null : sentenceColumn(detail),
      });
      tx.notify(["audit"]);
    },
    /** Returns entries below an id, newest first. */
    page: (below: number, limit: number): AuditEntry[] => page.all({ below, limit }).map(presentAuditRow),
    listByTarget: (target: string): AuditEntry[] => listByTarget.all(target).map(presentAuditRow),
  };
}

export function presentAuditRow({ id, at, userName, action, subject, detail }: AuditRow): AuditEntry {
  return { id, at: isoTime(at), userName, action, target: subject ?? "", note: readSentenceOrNull(detail) };
}

/** Searches the audit log, newest first. */
export const searchAuditLogJob = defineQuery(
  "searchAuditLog",
  (db, { search, below, limit }: { file: string; search: string; below: number; limit: number }) =>
    searchAudit(db, search, below, limit),
);
