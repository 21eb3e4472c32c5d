import { HOUR_MS } from "@comanda/protocol";
import { randomBytes } from "node:crypto";
import { type HqPerson, HqRole } from "@comanda/protocol/headquarters.ts";
import { digestOf } from "../codes.ts";
import { recordAudit } from "../db/audit.ts";
import type { Queries } from "../db/database.ts";
import { networkOf } from "../guess-limits.ts";

export const SESSION_MS = 12 * HOUR_MS;
/** A session in use is renewed after this much of its time, not with every request. */
const RENEW_AFTER_MS = HOUR_MS;

/** The person who makes a request, as currently stored. */
export type Caller = HqPerson;

/**
 * Begins a session and returns its token, stored only as a digest. A session of the identity provider (`provider`) ends even if
 * it is in use: the person has to sign in there again each day, and cannot once the provider drops the account.
 */
export async function beginSession(
  queries: Queries,
  { id, login }: { id: string; login: string },
  { address, now, provider }: { address: string; now: number; provider?: string },
): Promise<string> {
  const { query } = queries;
  const detail = { address, network: networkOf(address), ...(provider !== undefined && { provider }) };
  await recordAudit(queries, now, { person: login, action: "session.begun", detail });
  const token = randomBytes(32).toString("base64url");
  await query("DELETE FROM sessions WHERE expires_at <= $1", [new Date(now)]);
  await query("INSERT INTO sessions (digest, person_id, expires_at, is_renewed) VALUES ($1, $2, $3, $4)", [
    digestOf(token),
    id,
    new Date(now + SESSION_MS),
    provider === undefined,
  ]);
  return token;
}

/** Returns whether a person has ever signed in from a network. */
export async function hasSignedIn({ query }: Queries, login: string, network: string): Promise<boolean> {
  const [entry] = await query(
    "SELECT 1 FROM audit WHERE action = 'session.begun' AND person = $1 AND detail->>'network' = $2 LIMIT 1",
    [login, network],
  );
  return entry !== undefined;
}

/** Returns an SQL condition: the person in `people` may sign in at the time in parameter `$n`. */
export const maySignIn = (n: number): string => `people.is_active AND coalesce(people.expires_at, 'infinity') > $${n}`;

/** Returns the person of a session if they may still sign in, else null. Renews the session. */
export async function callerOf({ query }: Queries, token: string, now: number): Promise<Caller | null> {
  const digest = digestOf(token);
  const [row] = await query<Caller & { expiresAt: Date; isRenewed: boolean }>(
    `SELECT people.id, login, name, role, password IS NOT NULL AS "hasPassword", s.expires_at AS "expiresAt",
       s.is_renewed AS "isRenewed", groups
     FROM sessions s JOIN people ON people.id = s.person_id
     WHERE s.digest = $1 AND s.expires_at > $2 AND ${maySignIn(2)}`,
    [digest, new Date(now)],
  );
  if (row === undefined) return null;
  const { expiresAt, isRenewed, ...caller } = row;
  if (isRenewed && expiresAt.getTime() < now + SESSION_MS - RENEW_AFTER_MS) {
    await query("UPDATE sessions SET expires_at = $2 WHERE digest = $1", [digest, new Date(now + SESSION_MS)]);
  }
  return { ...caller, role: HqRole.parse(caller.role) };
}

/** Returns when the access of a session's person expired; null unless that alone ended the session. */
export async function endOfSupport({ query }: Queries, token: string, now: number): Promise<Date | null> {
  const [row] = await query<{ expiresAt: Date }>(
    `SELECT p.expires_at AS "expiresAt" FROM sessions s JOIN people p ON p.id = s.person_id
     WHERE s.digest = $1 AND s.expires_at > $2 AND p.is_active AND p.expires_at <= $2`,
    [digestOf(token), new Date(now)],
  );
  return row?.expiresAt ?? null;
}

export async function endSession({ query }: Queries, token: string): Promise<void> {
  await query("DELETE FROM sessions WHERE digest = $1", [digestOf(token)]);
}

/** Ends all sessions of a person except the one with the token `except`. */
export async function endSessionsOf({ query }: Queries, personId: string, except?: string): Promise<void> {
  await query("DELETE FROM sessions WHERE person_id = $1 AND digest <> $2", [
    personId,
    except === undefined ? "" : digestOf(except),
  ]);
}
