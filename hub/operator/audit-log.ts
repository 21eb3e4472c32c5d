import type { AuditEntry } from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { Db } from "../db/open.ts";
import { isoTime } from "../world.ts";

interface Row {
  id: number;
  at: number;
  userName: string;
  action: string;
  subject: string | null;
  detail: string | null;
}

export type AuditLog = ReturnType<typeof createAuditLog>;

const COLUMNS = "id, at, user_name AS userName, action, subject, detail";

/** What operators did with this hub; written in the transaction of the deed. */
export function createAuditLog(db: Db) {
  const insert = db.prepare<Omit<Row, "id">>(`
    INSERT INTO audit_log (at, user_name, action, subject, detail) VALUES (@at, @userName, @action, @subject, @detail)`);
  const page = db.prepare<{ below: number; limit: number }, Row>(
    `SELECT ${COLUMNS} FROM audit_log WHERE id < @below ORDER BY id DESC LIMIT @limit`,
  );
  const ofSubject = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM audit_log WHERE subject = ? ORDER BY id`);

  return {
    record(tx: Tx, userName: string, action: string, target: string, note: string | null = null): void {
      insert.run({ at: tx.now, userName, action, subject: target, detail: note });
      tx.emit({ kind: "notice", notice: { topics: ["audit"] } });
    },
    /** Entries below an id, newest first. */
    page(search: string | undefined, below: number, limit: number): AuditEntry[] {
      const isSearch = search !== undefined && search !== "";
      const rows = isSearch ? searchAudit(db, search, below, limit) : page.all({ below, limit });
      return rows.map(present);
    },
    of: (target: string): AuditEntry[] => ofSubject.all(target).map(present),
  };
}

/** Entries with a part of who, what or on what, newest first: reads the log until the page is full. */
function searchAudit(db: Db, search: string, below: number, limit: number): Row[] {
  const found = db.prepare<{ like: string; below: number; limit: number }, Row>(`
    SELECT ${COLUMNS} FROM audit_log
    WHERE id < @below AND (user_name LIKE @like ESCAPE '\\' OR action LIKE @like ESCAPE '\\'
      OR subject LIKE @like ESCAPE '\\' OR detail LIKE @like ESCAPE '\\')
    ORDER BY id DESC LIMIT @limit`);
  return found.all({ like: `%${search.replace(/[\\%_]/g, "\\$&")}%`, below, limit });
}

function present({ id, at, userName, action, subject, detail }: Row): AuditEntry {
  return { id, at: isoTime(at), userName, action, target: subject ?? "", note: detail };
}
