import { DAY_MS } from "@comanda/protocol";
import { randomUUID } from "node:crypto";
import { HqPersonRow, type HqNewPerson, type HqPersonChange } from "@comanda/protocol/headquarters.ts";
import type { Database, Queries } from "../db/database.ts";
import { Refusal } from "../refusal.ts";
import { recordAudit } from "../db/audit.ts";
import { createGuessLimits, type GuessLimit, networkOf } from "../guess-limits.ts";
import { digestPassword, matchesPassword } from "./passwords.ts";
import type { Identity } from "./identity-provider.ts";
import { signInByProvider } from "./provider-account.ts";
import {
  beginSession,
  type Caller,
  callerOf,
  endOfSupport,
  endSession,
  endSessionsOf,
  hasSignedIn,
  maySignIn,
} from "./sessions.ts";
import type { SetupCode } from "./setup-code.ts";

/** The longest access of a person with the role support. */
const SUPPORT_MS = 30 * DAY_MS;

/** Wrong passwords and codes that are checked within GUESSES_MS. Elsewhere: at networks where the person never signed in. */
const GUESSES_MS = 15 * 60_000;
const PER_LOGIN = 10;
const PER_NETWORK = 50;
const PER_LOGIN_ELSEWHERE = 100;

/** The person or program named in the audit log. */
type Actor = Pick<Caller, "login">;

export type People = ReturnType<typeof createPeople>;

/** Manages the people of headquarters, their roles and their sessions. */
export function createPeople({
  database,
  now,
  setupCode,
  hasProvider,
}: {
  database: Database;
  now: () => number;
  setupCode: SetupCode;
  /** Whether people can sign in by an identity provider, without a password. */
  hasProvider: boolean;
}) {
  const limited = createGuessLimits(now, GUESSES_MS);

  /** Checks a password or code. Throws TOO_MANY_TRIES, or UNAUTHENTICATED without a reason if `guess` resolves with null. */
  async function checkGuess<T>(login: string, address: string, guess: () => Promise<T | null>): Promise<T> {
    const network = networkOf(address);
    const limits: GuessLimit[] = [
      [`${login} from ${network}`, PER_LOGIN],
      [`all from ${network}`, PER_NETWORK],
    ];
    // Strangers cannot lock a person out of a network from which that person has signed in before.
    if (!(await hasSignedIn(database, login, network))) limits.push([login, PER_LOGIN_ELSEWHERE]);
    const right = await limited(limits, guess);
    if (right === null) throw new Refusal("UNAUTHENTICATED", "this does not let you in");
    return right;
  }

  async function add(queries: Queries, person: HqNewPerson, by: Actor): Promise<HqPersonRow> {
    const row: HqPersonRow = {
      ...person,
      id: randomUUID(),
      groups: groupsOf(person),
      isActive: true,
      hasPassword: person.password !== null,
      isBound: false,
    };
    requireValid(row, now());
    if (!row.hasPassword) requireSignInMethod(row, hasProvider);
    const password = person.password === null ? null : await digestPassword(person.password);
    const added = await queries.query(
      `INSERT INTO people (id, login, name, role, password, expires_at, email, groups) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT DO NOTHING RETURNING id`,
      [row.id, row.login, row.name, row.role, password, dateOf(row.expiresAt), row.email, row.groups],
    );
    if (added.length === 0) throw new Refusal("CONFLICT", "somebody has this login or e-mail already");
    const detail = { login: row.login, role: row.role, groups: row.groups };
    await recordAudit(queries, now(), { person: by.login, action: "person.added", detail });
    return HqPersonRow.parse(row);
  }

  return {
    callerOf: (token: string): Promise<Caller | null> => callerOf(database, token, now()),
    endOfSupport: (token: string): Promise<Date | null> => endOfSupport(database, token, now()),
    needsSetup: (): Promise<boolean> => hasNoOwner(database),

    /** Creates the first owner and returns a session token. */
    async setUp(person: { login: string; name: string; password: string; code: string }, address: string) {
      await checkGuess("setup", address, async () => (setupCode.matches(person.code) ? true : null));
      return database.transaction(async (queries) => {
        // Serializes concurrent setups.
        await queries.query("SELECT version FROM schema_version FOR UPDATE");
        if (!(await hasNoOwner(queries))) throw new Refusal("CONFLICT", "there is an owner already");
        const { code: _code, ...rest } = person;
        const owner = await add(
          queries,
          { ...rest, role: "owner", groups: [], email: null, expiresAt: null },
          { login: "setup" },
        );
        return beginSession(queries, owner, { address, now: now() });
      });
    },

    /** Begins a session and returns its token. */
    async signIn(login: string, password: string, address: string): Promise<string> {
      const id = await checkGuess(login, address, async () => {
        const [row] = await database.query<{ id: string; password: string | null }>(
          `SELECT id, password FROM people WHERE login = $1 AND ${maySignIn(2)}`,
          [login, new Date(now())],
        );
        const matches = await matchesPassword(password, row?.password ?? null);
        return matches && row !== undefined ? row.id : null;
      });
      return database.transaction((queries) => beginSession(queries, { id, login }, { address, now: now() }));
    },

    /** Begins a session for the person with this account of the identity provider. Throws a ProviderFailure. */
    signInByProvider: (identity: Identity, address: string): Promise<string> =>
      signInByProvider(database, identity, { address, now: now() }),

    signOut: (token: string): Promise<void> => endSession(database, token),

    async changePassword(
      caller: Caller,
      token: string,
      { current, next }: { current: string; next: string },
      address: string,
    ) {
      await checkGuess(caller.login, address, async () => {
        const [row] = await database.query<{ password: string | null }>("SELECT password FROM people WHERE id = $1", [
          caller.id,
        ]);
        return (await matchesPassword(current, row?.password ?? null)) ? true : null;
      });
      const password = await digestPassword(next);
      await database.transaction(async (queries) => {
        await queries.query("UPDATE people SET password = $2 WHERE id = $1", [caller.id, password]);
        await endSessionsOf(queries, caller.id, token);
        await recordAudit(queries, now(), { person: caller.login, action: "person.password" });
      });
    },

    list: (): Promise<HqPersonRow[]> => read(database),

    add: (person: HqNewPerson, by: Actor): Promise<HqPersonRow> =>
      database.transaction((queries) => add(queries, person, by)),

    /** Changes a person and ends their sessions. */
    async change(id: string, change: HqPersonChange, by: Actor): Promise<HqPersonRow> {
      const { password: next, ...rest } = change;
      const password = typeof next === "string" ? await digestPassword(next) : next;
      return database.transaction((queries) =>
        changePerson(queries, id, { ...rest, password }, by, now(), hasProvider),
      );
    },
  };
}

/** `password`: the digest of the new password; null removes the password, undefined keeps it. */
async function changePerson(
  queries: Queries,
  id: string,
  { password, ...rest }: Omit<HqPersonChange, "password"> & { password: string | null | undefined },
  by: Actor,
  now: number,
  hasProvider: boolean,
): Promise<HqPersonRow> {
  await queries.query("SELECT id FROM people FOR UPDATE");
  const before = (await read(queries)).find((each) => each.id === id);
  if (before === undefined) throw new Refusal("NOT_FOUND", "there is nobody with this id");
  const merged = { ...before, ...withoutUndefined(rest) };
  // Only the role support has an expiry.
  const after = { ...merged, expiresAt: merged.role === "support" ? merged.expiresAt : null };
  const row: HqPersonRow = {
    ...after,
    groups: groupsOf(after),
    hasPassword: password === undefined ? before.hasPassword : password !== null,
    isBound: after.isBound && after.email === before.email,
  };
  requireValid(row, now);
  const losesSignInMethod = password === null || row.email !== before.email;
  if (!row.hasPassword && losesSignInMethod) requireSignInMethod(row, hasProvider);
  const [same] = await queries.query("SELECT id FROM people WHERE email = $2 AND id <> $1", [id, row.email]);
  if (same !== undefined) throw new Refusal("CONFLICT", "somebody has this e-mail already");
  await queries.query(
    `UPDATE people SET name = $2, role = $3, expires_at = $4, is_active = $5, email = $6,
       oidc_issuer = CASE WHEN $7 THEN oidc_issuer END, oidc_subject = CASE WHEN $7 THEN oidc_subject END,
       password = CASE WHEN $8 THEN password ELSE $9 END, groups = $10
     WHERE id = $1`,
    [
      id,
      row.name,
      row.role,
      dateOf(row.expiresAt),
      row.isActive,
      row.email,
      row.isBound,
      password === undefined,
      password ?? null,
      row.groups,
    ],
  );
  if (await hasNoOwner(queries)) throw new Refusal("CONFLICT", "somebody has to remain an owner");
  await endSessionsOf(queries, id);
  const detail = { login: row.login, ...withoutUndefined(rest), ...passwordChange(password) };
  await recordAudit(queries, now, { person: by.login, action: "person.changed", detail });
  return HqPersonRow.parse(row);
}

function passwordChange(password: string | null | undefined) {
  return { hasNewPassword: typeof password === "string", ...(password === null ? { lostPassword: true } : {}) };
}

/** Rejects a person without a password who has no other way to sign in. */
function requireSignInMethod({ email }: Pick<HqPersonRow, "email">, hasProvider: boolean): void {
  if (!hasProvider) throw new Refusal("VALIDATION_ERROR", "password: nobody signs in without one here");
  if (email === null) throw new Refusal("VALIDATION_ERROR", "email: who has no password needs one");
}

/** Rejects a region without groups, which would see nothing, and support without an expiry or any other role with one. */
function requireValid(person: Pick<HqPersonRow, "role" | "groups" | "expiresAt">, now: number): void {
  if (person.role === "region" && person.groups.length === 0) {
    throw new Refusal("VALIDATION_ERROR", "groups: a region needs at least one");
  }
  if (person.role !== "support") {
    if (person.expiresAt !== null) throw new Refusal("VALIDATION_ERROR", "expiresAt: only for support");
    return;
  }
  const end = person.expiresAt === null ? NaN : Date.parse(person.expiresAt);
  if (!(end <= now + SUPPORT_MS)) throw new Refusal("VALIDATION_ERROR", "expiresAt: support lasts 30 days at most");
}

/** Returns the groups to store: only the role region has any. */
function groupsOf({ role, groups }: Pick<HqPersonRow, "role" | "groups">): string[] {
  return role === "region" ? [...new Set(groups)].toSorted() : [];
}

async function hasNoOwner({ query }: Queries): Promise<boolean> {
  const [owner] = await query("SELECT id FROM people WHERE role = 'owner' AND is_active LIMIT 1");
  return owner === undefined;
}

async function read({ query }: Queries): Promise<HqPersonRow[]> {
  const rows = await query<Omit<HqPersonRow, "expiresAt"> & { expiresAt: Date | null }>(
    `SELECT id, login, name, role, is_active AS "isActive", expires_at AS "expiresAt", email,
       password IS NOT NULL AS "hasPassword", oidc_subject IS NOT NULL AS "isBound",
       groups
     FROM people ORDER BY is_active DESC, name, login`,
  );
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.toISOString() ?? null }));
}

function dateOf(iso: string | null): Date | null {
  return iso === null ? null : new Date(iso);
}

function withoutUndefined<T extends object>(change: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as never;
}
