import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
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
  /** Settings in addition to the defaults of tests: a free port, a new data file, no discovery. */
  env?: Readonly<Record<string, string>>;
  /** Starts a private back-office, which a test may end. By default the test file shares one, reset for each hub. */
  ownBackOffice?: boolean;
  /** Line from the hub to the back-office; other clients connect directly. It stops with the hub. */
  line?: FaultyLine;
  /** Storage of the settings. Without it they cannot be changed. */
  settingsHost?: SettingsHost;
  /** Overridden parts of the world, such as the clock. With a clock, the back-office sends no time. */
  world?: Partial<World>;
}

export interface TestBackOffice {
  url: string;
  /** Calls its control API, such as `control("POST", "/session", { open: false })`. */
  control(method: string, path: string, body?: unknown): Promise<Answer["body"]>;
  /** Ends it at once, like a cut line. Only for a private back-office. */
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
  /** Opens a back-office session for `waiter`, `cashier`, `manager` or `clerk`. */
  signIn(login: string): Promise<string>;
  /** Sends any request to the hub's port. */
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Creates a key with a manager's token. By default it has every scope. */
  createKey(scopes?: Scope[], label?: string): Promise<{ keyId: string; token: string }>;
  /** Calls `/external/v1` with the given token, without one (null), or by default with a key of every scope, made once. */
  external(token?: string | null): Caller;
  /** Calls `/external-keys`, by default as manager. */
  admin(token?: string | null): Caller;
  /** Connects a signed-in terminal that has received its first SYNC. */
  terminal(options?: {
    login?: string;
    deviceId?: string;
    deviceKey?: string | undefined;
    caps?: string[];
  }): Promise<TestTerminal>;
  /** Restarts the hub on the same data file and port. `meanwhile` runs while it is off. */
  restart(meanwhile?: () => void): Promise<void>;
  /** Ends the hub like a SIGKILL, and starts it on a copy of its files as of this call. Needs a `line`. */
  crash(): Promise<void>;
  stop(): Promise<void>;
}

const allScopes: Scope[] = ["read", "orders:write", "webhooks:manage", "plugins:write"];
let shared: Promise<OwnBackOffice> | null = null;
let prepared: Promise<string> | null = null;

/** Starts a complete hub with real sockets, a real file and the back-office stand-in. Stops with the test. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  let folder = mkdtempSync(path.join(tmpdir(), "hub-"));
  const backOffice = options.ownBackOffice === true ? await startBackOffice() : await sharedBackOffice();
  // The back-office's time would contradict the test's clock.
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
  const configOf = (file: string, port = env.HUB_HTTP_PORT) =>
    readHubConfig({ ...env, HUB_DB_PATH: file, HUB_HTTP_PORT: port });
  putDataFile(dbPath, world);
  const hubOptions = options.settingsHost === undefined ? {} : { settingsHost: options.settingsHost };
  let hub = createHub(configOf(dbPath), world, hubOptions);
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
  const request = (method: string, target: string, sendOptions?: SendOptions): Promise<Answer> =>
    send(`http://127.0.0.1:${port}`, method, target, sendOptions);

  const testHub: TestHub = {
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
      const answer = await testHub.admin().post("", { label, scopes });
      if (answer.status !== 201) throw new Error(`no key was made: ${JSON.stringify(answer.body)}`);
      return answer.body as { keyId: string; token: string };
    },
    external: (token) =>
      caller(request, "/external/v1", async () => {
        if (token === null) return {};
        if (token !== undefined) return { "X-Api-Key": token };
        allScopesKey ??= testHub.createKey();
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
    async restart(whileStopped) {
      await hub.stop();
      forgetConnections();
      whileStopped?.();
      hub = createHub(configOf(testHub.dbPath, String(port)), world, hubOptions);
      ({ port } = await hub.start());
    },
    async crash() {
      if (options.line === undefined) throw new Error("without a line of its own, the old hub could say goodbye");
      const [former, next] = [folder, mkdtempSync(path.join(tmpdir(), "hub-"))];
      // All in one turn: what is not in the copy was acknowledged to nobody. A thread may be writing a backup.
      cpSync(former, next, { recursive: true, filter: (file) => path.basename(file) !== "backups" });
      const cut = options.line.down();
      for (const terminal of terminals) terminal.socket.terminate();
      terminals.clear();
      forgetConnections();
      [folder, testHub.dbPath] = [next, path.join(next, "hub.sqlite")];
      await Promise.all([cut, hub.stop()]);
      rmSync(former, { recursive: true, force: true });
      await options.line.up();
      hub = createHub(configOf(testHub.dbPath, String(port)), world, hubOptions);
      await hub.start();
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
  stopAfterThisTest(testHub.stop);
  return testHub;
}

/** Runs `stop` after the current test, or after the file if called in `beforeAll`. */
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

/** Returns the stand-in shared by this test file, reset to an open session without faults. */
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

/** Starts a stand-in inside this process, 50 times faster than as a separate program. */
export async function startBackOffice(): Promise<OwnBackOffice> {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-back-office-"));
  const dbPath = path.join(folder, "back-office.sqlite");
  copyFileSync(await (prepared ??= prepareBackOffice()), dbPath);
  const [{ startBackOffice: start }, { realWorld: realBackOfficeWorld }] = await Promise.all([
    importStandIn<{ startBackOffice(config: object, world: object): Promise<StandIn> }>("back-office.ts"),
    importStandIn<{ realWorld(log: Logger): object }>("world.ts"),
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

/** Imports a module of the stand-in at run time: the hub must not depend on that package. */
async function importStandIn<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(repo, "backoffice-stub", file)).href)) as T;
}

/** Number of tables in the tests' stand-in in addition to its seed. */
export const testTables = 50;

/**
 * Creates the stand-in's file with its seed and those of the tables 1 to 60 that the seed lacks, so tests may use any of
 * them. Table 60 is named just "60". Each stand-in gets a copy.
 */
async function prepareBackOffice(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-back-office-"));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  const dbPath = path.join(folder, "prepared.sqlite");
  const { openDb } = await importStandIn<{ openDb(file: string): Database.Database }>("db/open.ts");
  const { seed } = await importStandIn<{ seed(db: Database.Database, now: number): void }>("seed/seed.ts");
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

/** Starts one of the product's programs in a folder without `.env`. Killed with the test process at the latest. */
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

/** Waits until a program is ready and returns the address that it prints. */
export async function readAddress(child: ChildProcess): Promise<string> {
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

/** Opens a back-office session for a user, whose password equals the login. */
export async function openSession(backOfficeUrl: string, login: string): Promise<string> {
  const params = { db: "demo", login, password: login };
  const answer = await send(backOfficeUrl, "POST", "/web/session/authenticate", {
    body: { jsonrpc: "2.0", method: "call", params },
  });
  const token = /session_id=([^;]+)/.exec(String(answer.headers["set-cookie"] ?? ""))?.[1];
  if (token === undefined) throw new Error(`${login} was refused: ${JSON.stringify(answer.body)}`);
  return token;
}
