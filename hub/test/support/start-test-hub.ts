import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import type Database from "better-sqlite3";
import { type Logger, pino } from "pino";
import { onTestFinished } from "vitest";
import type { Scope } from "@comanda/protocol";
import { readHubConfig } from "../../settings/config.ts";
import { createHub, type Hub } from "../../hub.ts";
import { realWorld, type World } from "../../platform/world.ts";
import { atExit } from "./at-exit.ts";
import { compileCache } from "./data/compile-cache.ts";
import { connectTerminal, type TestTerminal } from "./connect-terminal.ts";
import { atEndOfFile } from "./end-of-file.ts";
import type { FaultyLine } from "./faulty-line.ts";
import type { SettingsHost } from "../../settings/settings-host.ts";
import { freePort } from "./free-port.ts";
import { putDataFile } from "./data/prepared-data-file.ts";
import { forgetConnections, send, type Answer, type SendOptions } from "./send.ts";

const repo = path.resolve(import.meta.dirname, "../../..");

export interface TestHubOptions {
  /** Settings beside those that a test needs: a free port, a file of its own, no discovery. */
  env?: Readonly<Record<string, string>>;
  /** A back-office of its own, which a test may end; otherwise one is shared by the file, its session open, no faults. */
  ownBackOffice?: boolean;
  /** The line from the hub to the back-office; everybody else reaches the back-office directly. It ends with the hub. */
  line?: FaultyLine;
  /** Where its settings are kept; without it they cannot be changed. */
  settingsHost?: SettingsHost;
  /** Parts of the world that a test takes over, such as the clock; with a clock the back-office tells no time. */
  world?: Partial<World>;
}

export interface TestBackOffice {
  url: string;
  /** A call of its control surface, such as `control("POST", "/session", { open: false })`. */
  control(method: string, path: string, body?: unknown): Promise<Answer["body"]>;
  /** Ends it at once, as a cut line would; only for a back-office of one's own. */
  kill(): Promise<void>;
}

export interface Caller {
  get(path: string, options?: SendOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: SendOptions): Promise<Answer>;
  delete(path: string, options?: SendOptions): Promise<Answer>;
}

export interface TestHub {
  readonly url: string;
  readonly port: number;
  readonly hub: Hub;
  dbPath: string;
  backOffice: TestBackOffice;
  /** A back-office session of `waiter`, `cashier`, `manager` or `clerk`. */
  signIn(login: string): Promise<string>;
  /** Any request of the hub's port. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Makes a key with a manager's token; every scope unless told otherwise. */
  createKey(scopes?: Scope[], label?: string): Promise<{ keyId: string; token: string }>;
  /** Calls below `/external/v1`: with the given token, with none (null), or with a key of every scope that is made once. */
  external(token?: string | null): Caller;
  /** Calls below `/external-keys`, as manager unless told otherwise. */
  admin(token?: string | null): Caller;
  /** A signed-in terminal that has read its first SYNC. */
  terminal(options?: {
    login?: string;
    deviceId?: string;
    deviceKey?: string | undefined;
    caps?: string[];
  }): Promise<TestTerminal>;
  /** Stops the hub and starts it again on the same data file and port; `meanwhile` is what happens while it is off. */
  restart(meanwhile?: () => void): Promise<void>;
  stop(): Promise<void>;
}

const allScopes: Scope[] = ["read", "orders:write", "webhooks:manage", "plugins:write"];
let shared: Promise<OwnBackOffice> | null = null;
let prepared: Promise<string> | null = null;

/** A whole hub with real sockets and a real file, and the real back-office stand-in; gone when the test is. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-"));
  const backOffice = options.ownBackOffice === true ? await startBackOffice() : await sharedBackOffice();
  // A clock that a test moves is nobody's time but its own.
  if (options.world?.clock !== undefined) await backOffice.control("POST", "/quirks", { date: "none" });
  const dbPath = path.join(folder, "hub.sqlite");
  if (options.line !== undefined) options.line.target = backOffice.url;
  const env = {
    ERP_URL: options.line?.url ?? backOffice.url,
    HUB_HOST: "127.0.0.1",
    HUB_HTTP_PORT: String(await freePort()),
    HUB_DB_PATH: dbPath,
    HUB_MDNS_ENABLED: "false",
    HUB_FORWARD_INTERVAL_MS: "200",
    ...options.env,
  };
  const world = { ...realWorld(pino({ level: process.env["TEST_LOG"] ?? "silent" })), ...options.world };
  const config = readHubConfig(env);
  putDataFile(dbPath, world);
  const hubOptions = options.settingsHost === undefined ? {} : { settingsHost: options.settingsHost };
  let hub = createHub(config, world, hubOptions);
  let { port } = await hub.start();
  const terminals = new Set<TestTerminal>();
  let allScopesKey: Promise<{ token: string }> | null = null;
  const tokens = new Map<string, Promise<string>>();
  let stopped = false;

  const signIn = (login: string): Promise<string> => {
    const token = tokens.get(login) ?? openSession(options.line === undefined ? env.ERP_URL : backOffice.url, login);
    tokens.set(login, token);
    return token;
  };
  const request = (method: string, target: string, more?: SendOptions): Promise<Answer> =>
    send(`http://127.0.0.1:${port}`, method, target, more);

  const test: TestHub = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    get port() {
      return port;
    },
    get hub() {
      return hub;
    },
    dbPath,
    backOffice,
    signIn,
    send: request,
    async createKey(scopes = allScopes, label = "Test integration") {
      const answer = await test.admin().post("", { label, scopes });
      if (answer.status !== 201) throw new Error(`no key was made: ${JSON.stringify(answer.body)}`);
      return answer.body as { keyId: string; token: string };
    },
    external: (token) =>
      caller(request, "/external/v1", async () => {
        if (token === null) return {};
        if (token !== undefined) return { "X-Api-Key": token };
        allScopesKey ??= test.createKey();
        return { "X-Api-Key": (await allScopesKey).token };
      }),
    admin: (token) =>
      caller(request, "/external-keys", async () =>
        token === null ? {} : { Authorization: `Bearer ${token ?? (await signIn("manager"))}` },
      ),
    async terminal({ login = "waiter", deviceId = login, deviceKey, caps = [] } = {}) {
      const terminal = await connectTerminal(`ws://127.0.0.1:${port}/`, {
        type: "AUTH",
        token: await signIn(login),
        deviceId,
        deviceKey,
        caps,
      });
      terminals.add(terminal);
      return terminal;
    },
    async restart(meanwhile) {
      await hub.stop();
      forgetConnections();
      meanwhile?.();
      hub = createHub({ ...config, port }, world, hubOptions);
      ({ port } = await hub.start());
    },
    async stop() {
      if (stopped) return;
      stopped = true;
      for (const terminal of terminals) terminal.close();
      await hub.stop();
      await options.line?.stop();
      if (options.ownBackOffice === true) await backOffice.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  stopAfterThisTest(test.stop);
  return test;
}

/** Inside a test the hub ends with it; inside a `beforeAll` with the file. */
function stopAfterThisTest(stop: () => Promise<void>): void {
  try {
    onTestFinished(stop);
  } catch {
    atEndOfFile(stop);
  }
}

function caller(request: TestHub["send"], prefix: string, authorize: () => Promise<Record<string, string>>): Caller {
  const call = async (method: string, target: string, options: SendOptions = {}): Promise<Answer> =>
    request(method, prefix + target, { ...options, headers: { ...(await authorize()), ...options.headers } });
  return {
    get: (target, options) => call("GET", target, options),
    post: (target, body, options) => call("POST", target, { ...options, body }),
    patch: (target, body, options) => call("PATCH", target, { ...options, body }),
    delete: (target, options) => call("DELETE", target, options),
  };
}

/** The stand-in of the present file, its session open, no faults. */
export async function sharedBackOffice(): Promise<OwnBackOffice> {
  if (shared === null) {
    const starting = startBackOffice();
    shared = starting;
    atEndOfFile(async () => {
      shared = null;
      await (await starting).stop();
    });
  }
  const backOffice = await shared;
  await backOffice.control("DELETE", "/faults");
  await backOffice.control("DELETE", "/requests");
  await backOffice.control("DELETE", "/quirks");
  await backOffice.control("POST", "/session", { open: true });
  return backOffice;
}

type OwnBackOffice = TestBackOffice & { stop(): Promise<void> };

interface StandIn {
  url: string;
  stop(graceMs?: number): Promise<void>;
}

/** In this process, where it starts in a fiftieth of what a program of its own would cost. */
export async function startBackOffice(): Promise<OwnBackOffice> {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-back-office-"));
  const dbPath = path.join(folder, "back-office.sqlite");
  copyFileSync(await (prepared ??= prepareBackOffice()), dbPath);
  const [{ startBackOffice: start }, { realWorld: realBackOfficeWorld }] = await Promise.all([
    part<{ startBackOffice(config: object, world: object): Promise<StandIn> }>("back-office.ts"),
    part<{ realWorld(log: Logger): object }>("world.ts"),
  ]);
  const config = { host: "127.0.0.1", port: 0, dbPath };
  const { url, stop } = await start(config, realBackOfficeWorld(pino({ level: "silent" })));
  let ended: Promise<void> | null = null;
  return {
    url,
    async control(method, target, body) {
      const answer = await send(url, method, `/stub/v1${target}`, body === undefined ? {} : { body });
      if (answer.status !== 200) throw new Error(`the stand-in refused ${target}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    kill: () => (ended ??= stop(0)),
    async stop() {
      await (ended ??= stop());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A file of the stand-in, which the hub's packages know nothing of. */
async function part<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(repo, "backoffice-stub", file)).href)) as T;
}

/** How many tables the stand-in of the tests has beside those of its seed. */
export const testTables = 50;

/**
 * The stand-in's file with its seed and a floor with the tables 1 to 60, as far as those are not in the seed: tests number
 * tables as they like. The last one goes by its bare number. Each stand-in gets a copy.
 */
async function prepareBackOffice(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-back-office-"));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  const dbPath = path.join(folder, "prepared.sqlite");
  const { openDb } = await part<{ openDb(file: string): Database.Database }>("db/open.ts");
  const { seed } = await part<{ seed(db: Database.Database, now: number): void }>("seed/seed.ts");
  const db = openDb(dbPath);
  seed(db, Date.now());
  db.exec(`
    INSERT INTO floor (id, name, layout_mode) VALUES (900, 'Patio', 'free');
    WITH RECURSIVE numbers (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM numbers WHERE id < 60)
    INSERT INTO restaurant_table (id, floor_id, name, seats, x, y, width, height, shape)
      SELECT id, 900, iif(id = 60, '60', 'Patio ' || id), 4, 100 * id, 40, 80, 80, 'square' FROM numbers
      WHERE id NOT IN (SELECT id FROM restaurant_table)`);
  db.close();
  return dbPath;
}

/** Starts one of the product's programs, away from any `.env`; killed with the test process at the latest. */
export function startProgram(
  script: string,
  env: Readonly<Record<string, string>>,
  cwd: string = tmpdir(),
): ChildProcess {
  const child = spawn(process.execPath, [path.join(repo, script)], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...compileCache, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  child.once(
    "exit",
    atExit(() => child.kill("SIGKILL")),
  );
  return child;
}

/** The address that a program tells when it is ready. */
export async function listening(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("the program's output is not read");
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    const address = /^listening on (http:\/\/\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return address.replace("0.0.0.0", "127.0.0.1");
  }
  throw new Error("the program ended before it was ready");
}

/** A back-office session of a user, whose password is their login. */
export async function openSession(backOfficeUrl: string, login: string): Promise<string> {
  const params = { db: "demo", login, password: login };
  const answer = await send(backOfficeUrl, "POST", "/web/session/authenticate", {
    body: { jsonrpc: "2.0", method: "call", params },
  });
  const token = /session_id=([^;]+)/.exec(String(answer.headers["set-cookie"] ?? ""))?.[1];
  if (token === undefined) throw new Error(`${login} was refused: ${JSON.stringify(answer.body)}`);
  return token;
}
