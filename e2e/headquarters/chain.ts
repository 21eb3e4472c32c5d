import { MINUTE_MS, HOUR_MS } from "@comanda/protocol";
import type { ProposalOutcome } from "@comanda/protocol/proposals.ts";
import type { Database } from "../../headquarters/db/database.ts";
import { beatOf, fillChain, giveKey } from "../../headquarters/test/fill-chain.ts";
import { startTestHeadquarters } from "../../headquarters/test/start-test-headquarters.ts";

const SPEAK_MS = 10_000;
export const PASSWORD = "una clave larga";

export type Chain = Awaited<ReturnType<typeof openChain>>;

/** Opens a chain of five hundred restaurants on a Friday evening, which report every ten seconds; a few have problems. */
export async function openChain() {
  const headquarters = await startTestHeadquarters({ HQ_CHAIN_NAME: "Pollos del Cibao" });
  const { database, url, logged } = headquarters;
  const startedAt = Date.now();
  await fillChain(database, { restaurants: 500, days: 9, now: startedAt });
  await addHistory(database, startedAt);
  /** The last report of restaurants with problems; null for those that are silent. */
  const reports: Record<string, object | null> = troubles(startedAt);
  await silence(database, "r0003", startedAt - 4 * MINUTE_MS);
  await silence(database, "r0047", startedAt - 40 * MINUTE_MS);

  async function sendReports(): Promise<void> {
    const now = Date.now();
    const silent = Object.keys(reports).filter((id) => reports[id] === null);
    await database.query("UPDATE beats SET heard_at = $2, body = body || $3::jsonb WHERE restaurant_id <> ALL($1)", [
      silent,
      new Date(now),
      JSON.stringify({ at: new Date(now).toISOString() }),
    ]);
    for (const id of Object.keys(reports)) await repeat(id);
  }
  async function sendReport(id: string, fields: object): Promise<void> {
    reports[id] = fields;
    await repeat(id);
  }
  /** Sends a restaurant's report as it is now: a test may replace it while the others are being repeated. */
  async function repeat(id: string): Promise<void> {
    const fields = reports[id] ?? null;
    if (fields === null) return;
    const now = Date.now();
    await database.query("UPDATE beats SET heard_at = $2, body = $3::jsonb WHERE restaurant_id = $1", [
      id,
      new Date(now),
      JSON.stringify(beatOf(now, fields)),
    ]);
  }
  await sendReports();
  let speaking = Promise.resolve();
  const timer = setInterval(() => (speaking = sendReports()), SPEAK_MS);

  const setupCode = /"setupCode":"([\w-]+)"/.exec(logged.join("\n"))?.[1] ?? "";
  return {
    url,
    database,
    setupCode,
    say: sendReport,
    /** Adds a user, as the owner does. */
    async addPerson(person: { login: string; role: string; groups?: string[]; expiresAt?: string }): Promise<void> {
      const cookie = await signIn(url, "rosa");
      const body = { name: person.login, password: PASSWORD, ...person };
      const response = await post(`${url}/hq/v1/people`, body, cookie);
      if (!response.ok) throw new Error(await response.text());
    },
    /** Proposes to take the first dish off the menu, as the owner does. Returns the proposal's id. */
    async propose(title: string, restaurants: string[]): Promise<string> {
      const cookie = await signIn(url, "rosa");
      const [at, until] = [0, 6 * HOUR_MS].map((ahead) => new Date(Date.now() + ahead).toISOString());
      const items = [{ key: "p1", want: { state: "out", until } }];
      const proposal = { kind: "stock", title, policy: "apply", at, until, items };
      const response = await post(`${url}/hq/v1/proposals`, { proposal, restaurants }, cookie);
      return ((await response.json()) as { id: string }).id;
    },
    /** Stores a restaurant's answer to a proposal. */
    async answer(id: string, restaurant: string, outcome: Partial<ProposalOutcome>): Promise<void> {
      await database.query(
        `UPDATE proposal_states SET outcome = $3::jsonb, at = $4, written_at = $4
         WHERE proposal_id = $1 AND restaurant_id = $2`,
        [id, restaurant, JSON.stringify({ id, version: 1, ...outcome }), new Date()],
      );
    },
    /** Creates the first owner. */
    async setUp(): Promise<void> {
      const body = { code: setupCode, login: "rosa", name: "Rosa Peña", password: PASSWORD };
      await post(`${url}/hq/v1/setup`, body);
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await speaking;
      await headquarters.stop();
    },
  };
}

/** Signs in; returns the cookie of the new session. */
export async function signIn(url: string, login: string): Promise<string> {
  const response = await post(`${url}/hq/v1/session`, { login, password: PASSWORD });
  return response.headers.get("Set-Cookie")?.split(";")[0] ?? "";
}

function post(url: string, body: object, cookie = ""): Promise<Response> {
  const headers = { "Content-Type": "application/json", ...(cookie === "" ? {} : { Cookie: cookie }) };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}

async function silence(database: Database, id: string, at: number): Promise<void> {
  await giveKey(database, id);
  await database.query("UPDATE beats SET heard_at = $2 WHERE restaurant_id = $1", [id, new Date(at)]);
  await database.query("INSERT INTO outages (restaurant_id, began_at) VALUES ($1, $2)", [id, new Date(at)]);
}

function troubles(now: number): Record<string, object | null> {
  const closed = Array.from({ length: 30 }, (_, index) => [
    `r0${400 + index}`,
    { sessionOpen: false, openChecks: 0, openTotal: 0, kitchen: { open: 0, late: 0 } },
  ]);
  return {
    ...(Object.fromEntries(closed) as Record<string, object>),
    r0003: null,
    r0047: null,
    r0010: { fiscal: [{ type: "B02", remaining: 0, expiresOn: "2027-12-31" }] },
    r0101: { fiscal: [{ type: "B01", remaining: 140, expiresOn: "2027-12-31" }] },
    r0120: { kitchen: { open: 31, late: 14 } },
    r0203: { lastBackupAt: new Date(now - 40 * HOUR_MS).toISOString() },
    r0300: { freeDiskBytes: 1_200_000_000, version: "1.3.2" },
    r0310: { unsent: 23, unsentSince: new Date(now - 50 * MINUTE_MS).toISOString() },
    r0320: { lossesOpen: 2, version: "1.3.2" },
  };
}

/** Adds checks, outages and days of one restaurant, and a restaurant that has never reported. */
async function addHistory(database: Database, now: number): Promise<void> {
  await database.query("INSERT INTO restaurants (id, name, created_at) VALUES ('rnuevo', 'Las Terrenas', now())");
  await database.query(
    `INSERT INTO checks (restaurant_id, pos_reference, hub_id, seq, version, opened_at, updated_at, paid_at,
       total_cents, staff_name, is_removed, removal)
     SELECT 'r0003', 'T7-' || n, 'h', n, 2,
       $1::timestamptz - make_interval(mins => n * 7 + 40), $1::timestamptz - make_interval(mins => n * 7),
       CASE WHEN n % 5 = 0 THEN NULL ELSE $1::timestamptz - make_interval(mins => n * 7) END, 45050 + n * 11300,
       (ARRAY['Ana', 'Luis', 'Miguelina'])[1 + n % 3], n % 17 = 0,
       CASE WHEN n % 17 = 0 THEN '{"reason": "se marcó dos veces", "by": "Ana"}'::jsonb END
     FROM generate_series(1, 60) AS n`,
    [new Date(now - 4 * MINUTE_MS)],
  );
  await database.query(
    `INSERT INTO outages (restaurant_id, began_at, ended_at)
     SELECT 'r0003', at, at + make_interval(mins => 4 + 23 * n)
     FROM generate_series(1, 6) AS n, LATERAL (SELECT $1::timestamptz - make_interval(hours => 31 * n) AS at)`,
    [new Date(now)],
  );
  await database.query(
    `INSERT INTO digests (restaurant_id, day, at, body, is_equal, paid_here)
     SELECT 'r0003', ($1::timestamptz - make_interval(days => n))::date, $1, '{"paid": 212}', n <> 4,
       CASE WHEN n = 4 THEN 211 ELSE 212 END FROM generate_series(1, 7) AS n`,
    [new Date(now)],
  );
}
