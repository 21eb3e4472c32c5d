import { pino } from "pino";
import { createApi } from "../api/create-api.ts";
import { openDatabase } from "../db/open.ts";
import { serveHttp } from "../http/app.ts";
import { Refusal } from "../refusal.ts";
import type { OidcSettings } from "../settings.ts";
import { createClock } from "./clock.ts";
import { testFolder } from "./test-folder.ts";

/** Starts the API on a real port, with a new database or the one at `url`. */
export async function startTestApi({
  clock = createClock(),
  oidc = null,
  port = 0,
  url = null,
}: { clock?: ReturnType<typeof createClock>; oidc?: OidcSettings | null; port?: number; url?: string | null } = {}) {
  const world = { now: clock.now, log: pino({ level: "silent" }) };
  const database = await openDatabase({ url, dataDir: await testFolder() });
  const codes: string[] = [];
  const api = await createApi({
    database,
    world,
    chainName: "La Cadena",
    oidc,
    // Enrolment, proposals and their outcomes need a NATS server and have separate tests.
    enrolment: {
      async createCode(restaurantId, by) {
        codes.push(`${restaurantId} ${by}`);
        return { code: "ABCD2345", expiresAt: new Date(clock.now() + 600_000) };
      },
      async revoke(restaurantId, by) {
        codes.push(`revoked ${restaurantId} ${by}`);
      },
      async cut(_, restaurantId, by) {
        codes.push(`revoked ${restaurantId} ${by}`);
      },
      admit: () => Promise.resolve(),
    },
    documents: { write: () => undefined },
    listening: () => ({ isOn: true, since: -Infinity }),
    ask: () => Promise.reject(new Refusal("UNREACHABLE", "there are no hubs here")),
  });
  const http = await serveHttp({ host: "127.0.0.1", port, behindProxy: true }, [api.router], world);
  const origin = `http://127.0.0.1:${http.port}`;
  return {
    clock,
    database,
    origin,
    codes,
    setupCode: api.setupCode ?? "",
    deriveAlerts: api.deriveAlerts,
    /** Creates a browser that keeps its cookie. */
    browser: () => createBrowser(origin),
    async stop() {
      await api.stop();
      await http.stop();
      await database.close();
    },
  };
}

export type TestApi = Awaited<ReturnType<typeof startTestApi>>;

export function createBrowser(origin: string) {
  let cookie = "";
  async function call(method: string, route: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${origin}/hq/v1${route}`, {
      method,
      headers: {
        ...(cookie === "" ? {} : { Cookie: cookie }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.get("Set-Cookie");
    if (set !== null) cookie = set.split(";")[0] ?? "";
    // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into it as it likes
    return { status: response.status, body: (await response.json()) as any, setCookie: set };
  }
  return {
    call,
    get: (route: string) => call("GET", route),
    post: (route: string, body: unknown) => call("POST", route, body),
    patch: (route: string, body: unknown) => call("PATCH", route, body),
    cookie: () => cookie,
  };
}

export const PASSWORD = "una clave larga";

/** Creates the owner and signs in. */
export async function signInOwner(api: Pick<TestApi, "browser" | "setupCode">) {
  const browser = api.browser();
  await browser.post("/setup", { code: api.setupCode, login: "rosa", name: "Rosa Peña", password: PASSWORD });
  return browser;
}

/** Lets the owner add a person, and signs that person in. */
export async function signInAs(
  api: Pick<TestApi, "browser">,
  owner: ReturnType<TestApi["browser"]>,
  person: { login: string; role: string; groups?: string[]; expiresAt?: string },
) {
  await owner.post("/people", { name: person.login, password: PASSWORD, ...person });
  const browser = api.browser();
  await browser.post("/session", { login: person.login, password: PASSWORD });
  return browser;
}
