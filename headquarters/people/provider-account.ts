import { recordAudit } from "../db/audit.ts";
import type { Database, Queries } from "../db/database.ts";
import { type Identity, ProviderFailure } from "./identity-provider.ts";
import { beginSession, maySignIn } from "./sessions.ts";

type Account = Pick<Identity, "issuer" | "subject">;

/** Begins a session for the person with this account of the identity provider. Throws a ProviderFailure. */
export async function signInByProvider(
  database: Database,
  identity: Identity,
  { address, now }: { address: string; now: number },
): Promise<string> {
  const isBound = (await personOfAccount(database, identity, now)) !== null;
  const email = isBound ? null : await identity.verifiedEmail();
  if (!isBound && email === null) {
    throw new ProviderFailure("unverified", `${identity.subject} has no verified e-mail`);
  }
  return database.transaction(async (queries) => {
    if (email !== null) await bindAccount(queries, identity, email, now);
    const person = await personOfAccount(queries, identity, now);
    if (person?.maySignIn !== true) {
      throw new ProviderFailure("unknown", `${email ?? identity.subject} is nobody who may sign in`);
    }
    return beginSession(queries, person, { address, now, provider: identity.issuer });
  });
}

/** Returns the person that an account is bound to, or null. `maySignIn`: the person is active and has not expired. */
async function personOfAccount({ query }: Queries, { issuer, subject }: Account, now: number) {
  const [person] = await query<{ id: string; login: string; maySignIn: boolean }>(
    `SELECT id, login, ${maySignIn(3)} AS "maySignIn"
     FROM people WHERE oidc_issuer = $1 AND oidc_subject = $2`,
    [issuer, subject, new Date(now)],
  );
  return person ?? null;
}

/**
 * Binds an account to the person with its e-mail, unless another account of this provider is bound to that person: a later
 * owner of the same e-mail must not be taken for the first.
 */
async function bindAccount(queries: Queries, { issuer, subject }: Account, email: string, now: number) {
  const [person] = await queries.query<{ login: string }>(
    `UPDATE people SET oidc_issuer = $1, oidc_subject = $2
     WHERE email = $3 AND oidc_issuer IS DISTINCT FROM $1 AND ${maySignIn(4)}
     RETURNING login`,
    [issuer, subject, email, new Date(now)],
  );
  if (person === undefined) return;
  await recordAudit(queries, now, { person: person.login, action: "person.bound", detail: { issuer, subject, email } });
}
