import type { LeaseRole } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

export interface LeaseRow {
  posReference: string;
  leaseId: string;
  terminalId: string;
  userName: string;
  role: LeaseRole;
  /** In ms since 1970, so that a lease survives a restart. */
  expiresAt: number;
}

export type LeaseStore = ReturnType<typeof createLeaseStore>;

const COLUMNS = `pos_reference AS posReference, lease_id AS leaseId, terminal_id AS terminalId, user_name AS userName, role,
  expires_at AS expiresAt`;

export function createLeaseStore(db: Db) {
  const list = db.prepare<[], LeaseRow>(`SELECT ${COLUMNS} FROM leases`);
  const upsert = db.prepare<LeaseRow>(`
    INSERT INTO leases (pos_reference, lease_id, terminal_id, user_name, role, expires_at)
    VALUES (@posReference, @leaseId, @terminalId, @userName, @role, @expiresAt)
    ON CONFLICT (pos_reference) DO UPDATE SET
      lease_id = excluded.lease_id, terminal_id = excluded.terminal_id, user_name = excluded.user_name,
      role = excluded.role, expires_at = excluded.expires_at`);
  const remove = db.prepare<[string]>("DELETE FROM leases WHERE pos_reference = ?");

  return {
    list: (): LeaseRow[] => list.all(),
    save: (row: LeaseRow): void => void upsert.run(row),
    remove: (posReference: string): void => void remove.run(posReference),
  };
}
