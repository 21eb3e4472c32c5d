import { randomBytes, randomUUID } from "node:crypto";
import type { Database } from "../db/database.ts";
import { recordAudit } from "../db/audit.ts";
import { digestPassword } from "./passwords.ts";
import { endSessionsOf } from "./sessions.ts";

/**
 * Makes the person with this login an active owner, or adds one, and returns a new password. For chains in which no owner can
 * sign in any more.
 */
export async function addOwner(database: Database, login: string, now: number): Promise<string> {
  const password = randomBytes(15).toString("base64url");
  const digest = await digestPassword(password);
  await database.transaction(async (queries) => {
    const [owner] = await queries.query<{ id: string }>(
      `INSERT INTO people (id, login, name, role, password) VALUES ($1, $2, $2, 'owner', $3)
       ON CONFLICT (login) DO UPDATE SET role = 'owner', password = $3, is_active = TRUE, expires_at = NULL, groups = '{}'
       RETURNING id`,
      [randomUUID(), login, digest],
    );
    if (owner === undefined) throw new Error("the owner was not written");
    await endSessionsOf(queries, owner.id);
    await recordAudit(queries, now, { person: "add-owner", action: "person.added", detail: { login, role: "owner" } });
  });
  return password;
}
