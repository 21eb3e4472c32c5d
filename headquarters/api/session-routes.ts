import type { HqSession } from "@comanda/protocol/headquarters.ts";
import type { Database } from "../db/database.ts";
import type { IdentityProvider } from "../people/identity-provider.ts";
import type { People } from "../people/people.ts";
import type { Caller } from "../people/sessions.ts";
import type { Handlers } from "./serve-api.ts";

export function sessionRoutes(deps: {
  database: Database;
  people: People;
  chainName: string;
  provider: Pick<IdentityProvider, "name" | "startUrl"> | null;
}) {
  const { database, people } = deps;
  const provider = deps.provider === null ? null : { name: deps.provider.name, startUrl: deps.provider.startUrl };
  const chain = { chainName: deps.chainName, provider };

  async function present(caller: Caller | null): Promise<HqSession> {
    if (caller === null) return { state: (await people.needsSetup()) ? "setup" : "out", ...chain };
    const { id, login, name, role, groups, hasPassword } = caller;
    const person = { id, login, name, role, groups: [...groups], hasPassword };
    return { state: "in", ...chain, timeZone: await usualTimeZone(database), person };
  }

  return {
    async session({ caller, token }) {
      const session = await present(caller);
      const endedAt = caller === null ? await people.endOfSupport(token) : null;
      return { ...session, ...(endedAt !== null && { endedAt: endedAt.toISOString() }) };
    },
    async setUp({ body, address, setSession }) {
      const token = await people.setUp(body, address);
      setSession(token);
      return present(await people.callerOf(token));
    },
    async signIn({ body, address, setSession }) {
      const token = await people.signIn(body.login, body.password, address);
      setSession(token);
      return present(await people.callerOf(token));
    },
    async signOut({ token, setSession }) {
      await people.signOut(token);
      setSession(null);
      return present(null);
    },
    async changePassword({ caller, token, body, address }) {
      await people.changePassword(caller, token, body, address);
      return { done: true };
    },
  } satisfies Partial<Handlers>;
}

const DEFAULT_ZONE = "America/Santo_Domingo";

/** Returns the time zone of most restaurants. */
async function usualTimeZone({ query }: Database): Promise<string> {
  const [row] = await query<{ zone: string }>(
    `SELECT time_zone AS zone FROM restaurants WHERE time_zone IS NOT NULL AND NOT is_closed
     GROUP BY time_zone ORDER BY count(*) DESC, time_zone LIMIT 1`,
  );
  return row?.zone ?? DEFAULT_ZONE;
}
