import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  openTerminal,
  memoryStorage,
  type OutboxStorage,
  type Terminal,
  type TerminalOptions,
} from "@comanda/terminal";
import { openWsSocket, signIn } from "@comanda/terminal/node";
import { atExit } from "../../hub/test/support/at-exit.ts";
import { freePort } from "../../hub/test/support/free-port.ts";
import { startProgram, type Program } from "./start-program.ts";
import { withTimeout } from "./with-timeout.ts";

export type Restaurant = Awaited<ReturnType<typeof openRestaurant>>;

/** Well above the time for an answer on a busy machine, and below a test's own timeout, which would hide what was awaited. */
const IDLE_WITHIN_MS = 60_000;

/** Where a restaurant's hub runs. */
export interface Place {
  folder: string;
  backOfficeUrl: string;
}

/** A running back-office stand-in. */
export interface RunningBackOffice {
  url: string;
  /** Ends it at once, like a cut connection. */
  kill(): Promise<void>;
  stop(): Promise<unknown>;
}

/**
 * Starts a back-office stand-in and a hub on free ports in a temporary folder. `hubEnv` adds settings of the hub, or computes
 * them from the restaurant's place. The stand-in is a separate program unless `startStandIn` says otherwise.
 */
export async function openRestaurant(
  hubEnv: Record<string, string> | ((place: Place) => Record<string, string>) = {},
  startStandIn: (port: number, dbPath: string) => Promise<RunningBackOffice> = runStandIn,
) {
  const folder = await mkdtemp(join(tmpdir(), "comanda-"));
  const cancelExitCleanup = atExit(() => rmSync(folder, { recursive: true, force: true }));
  const tokens = new Map<string, Promise<string>>();
  const terminals: Terminal[] = [];
  const backOfficePort = await freePort();
  const hubPort = await freePort();
  let backOffice = await runBackOffice();
  const settings = typeof hubEnv === "function" ? hubEnv({ folder, backOfficeUrl: backOffice.url }) : hubEnv;
  let hub = await runHub();

  return {
    folder,
    backOfficeUrl: backOffice.url,
    // Loopback, even if the hub listens on every address of the machine.
    hubUrl: `http://127.0.0.1:${hubPort}`,
    /** The same across restarts. */
    hubSocketUrl: `ws://127.0.0.1:${hub.port}`,
    hub: (): Program => hub,
    token,
    async terminal(
      deviceId: string,
      { login = "manager", ...options }: Partial<TerminalOptions> & { login?: string } = {},
    ): Promise<Terminal> {
      const storage = options.storage ?? memoryStorage();
      const opened = await openTerminal({
        url: `ws://127.0.0.1:${hub.port}`,
        deviceId,
        token: await token(login),
        openSocket: openWsSocket,
        ...options,
        storage,
      });
      const describeState = (): Promise<string> => describePending(opened, storage);
      const terminal: Terminal = {
        ...opened,
        idle: () =>
          withTimeout(`the answer to everything of ${deviceId}`, opened.idle(), IDLE_WITHIN_MS, describeState),
      };
      terminals.push(terminal);
      return terminal;
    },
    killHub: () => hub.kill(),
    /** Starts the hub, for this start with additional settings or another build of the program. */
    async startHub(env?: Record<string, string>, program?: string): Promise<void> {
      hub = await runHub(env, program);
    },
    killBackOffice: () => backOffice.kill(),
    async startBackOffice(): Promise<void> {
      backOffice = await runBackOffice();
    },
    /** Requests JSON from the stand-in's control surface. */
    async stub<T>(path: string, init?: RequestInit): Promise<T> {
      const answer = await fetch(new URL(path, backOffice.url), init);
      return (await answer.json()) as T;
    },
    /** Stops terminals and programs and removes the temporary folder. */
    async close(): Promise<void> {
      await Promise.allSettled(terminals.map((terminal) => terminal.stop()));
      await Promise.allSettled([hub.stop(), backOffice.stop()]);
      await rm(folder, { recursive: true, force: true });
      cancelExitCleanup();
    },
  };

  /** Returns a back-office session id; the same one for each login. */
  function token(login: string): Promise<string> {
    const sessionId = tokens.get(login) ?? signIn(backOffice.url, { login, password: login });
    tokens.set(login, sessionId);
    return sessionId;
  }

  function runBackOffice(): Promise<RunningBackOffice> {
    return startStandIn(backOfficePort, join(folder, "backoffice.sqlite"));
  }

  async function runHub(extraEnv: Record<string, string> = {}, program = "dist/hub/main.js"): Promise<Program> {
    const env = {
      ERP_URL: `http://127.0.0.1:${backOfficePort}`,
      HUB_HOST: "127.0.0.1",
      HUB_HTTP_PORT: String(hubPort),
      HUB_DB_PATH: join(folder, "hub.sqlite"),
      HUB_MDNS_ENABLED: "false",
      HUB_STATE_POLL_MS: "500",
      HUB_FORWARD_INTERVAL_MS: "300",
      ...settings,
      ...extraEnv,
    };
    return startProgram(program, env, folder);
  }
}

function runStandIn(port: number, dbPath: string): Promise<Program> {
  const env = { BACKOFFICE_PORT: String(port), BACKOFFICE_DB_PATH: dbPath };
  return startProgram("backoffice-stub/main.ts", env, dirname(dbPath));
}

/** Describes what a terminal still waits for, one item a line. */
async function describePending(terminal: Terminal, storage: OutboxStorage): Promise<string> {
  const { pending, unsaved } = terminal.outbox();
  const entries = await storage.load().catch((error: unknown) => [String(error)]);
  const head = `${JSON.stringify(terminal.connection())}, seq ${terminal.seq()}, ${pending} unanswered, ${unsaved} unsaved`;
  return [head, ...entries.map((entry) => JSON.stringify(entry).slice(0, 600))].join("\n");
}

/** Resolves when the terminal is online; rejects if its connection has ended for good. */
export async function online(terminal: Terminal): Promise<void> {
  if (terminal.connection().name === "online") return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const off = terminal.on("connection", (state) => {
    if (state.name === "online") resolve();
    if (state.name === "ended") reject(new Error(`${state.reason}: ${state.error}`));
  });
  terminal.start();
  const describeConnection = (): string => JSON.stringify(terminal.connection());
  await withTimeout("a terminal's way online", promise, IDLE_WITHIN_MS, describeConnection).finally(off);
}
