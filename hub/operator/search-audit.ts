import { likePart } from "../db/like-part.ts";
import type { Db } from "../db/open.ts";

export interface AuditRow {
  id: number;
  /** Ms since 1970. */
  at: number;
  userName: string;
  action: string;
  subject: string | null;
  detail: string | null;
}

export const AUDIT_COLUMNS = "id, at, user_name AS userName, action, subject, detail";

/** Entries whose user, action or subject contains a text, newest first; reads the log until the page is full. */
export function searchAudit(db: Db, search: string, below: number, limit: number): AuditRow[] {
  const found = db.prepare<{ like: string; below: number; limit: number }, AuditRow>(`
    SELECT ${AUDIT_COLUMNS} FROM audit_log
    WHERE id < @below AND (user_name LIKE @like ESCAPE '\\' OR action LIKE @like ESCAPE '\\'
      OR subject LIKE @like ESCAPE '\\' OR detail LIKE @like ESCAPE '\\')
    ORDER BY id DESC LIMIT @limit`);
  return found.all({ like: likePart(search), below, limit });
}
