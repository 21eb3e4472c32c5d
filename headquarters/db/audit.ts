import type { Queries } from "./database.ts";

/** An entry of the audit log: who did what. */
export interface AuditEntry {
  person: string;
  action: string;
  restaurantId?: string;
  detail?: Readonly<Record<string, unknown>>;
}

/** Records an act in the audit log, in the transaction of the act. */
export async function recordAudit(queries: Queries, at: number, entry: AuditEntry): Promise<void> {
  await queries.query(
    "INSERT INTO audit (at, person, action, restaurant_id, detail) VALUES ($1, $2, $3, $4, $5::jsonb)",
    [new Date(at), entry.person, entry.action, entry.restaurantId ?? null, JSON.stringify(entry.detail ?? {})],
  );
}
