import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTerminal, memoryStorage, type Terminal, type TerminalOptions } from "@comanda/terminal";
import { openWsSocket, signIn } from "@comanda/terminal/node";
import { freePort } from "../../hub/test/free-port.ts";
import { startProgram, type Program } from "./start-program.ts";

export type Restaurant = Awaited<ReturnType<typeof openRestaurant>>;

/** The surroundings of a restaurant's hub. */
export interface Place {
  folder: string;
  backOfficeUrl: string;
}

/**
 * A back-office stand-in and a hub on free ports in a temporary folder, with the terminals opened on it. `hubEnv` are
 * settings of the hub beside the usual ones, or works them out from the restaurant's place.
 */
export async function openRestaurant(hubEnv: Record<string, string> | ((place: Place) => Record<string, string>) = {}) {
  const folder = await mkdtemp(join(tmpdir(), "comanda-"));
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  process.once("exit", removeFolder);
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
    hubUrl: hub.url,
    /** The same over every restart. */
    hubSocketUrl: `ws://127.0.0.1:${hub.port}`,
    hub: (): Program => hub,
    token,
    async terminal(
      deviceId: string,
      { login = "manager", ...options }: Partial<TerminalOptions> & { login?: string } = {},
    ): Promise<Terminal> {
      const terminal = await openTerminal({
        url: `ws://127.0.0.1:${hub.port}`,
        deviceId,
        token: await token(login),
        storage: memoryStorage(),
        openSocket: openWsSocket,
        ...options,
      });
      terminals.push(terminal);
      return terminal;
    },
    killHub: () => hub.kill(),
    /** With other settings than the restaurant's, for this start. */
    async startHub(env?: Record<string, string>): Promise<void> {
      hub = await runHub(env);
    },
    killBackOffice: () => backOffice.kill(),
    async startBackOffice(): Promise<void> {
      backOffice = await runBackOffice();
    },
    /** JSON from the stand-in's control surface. */
    async stub<T>(path: string, init?: RequestInit): Promise<T> {
      const answer = await fetch(new URL(path, backOffice.url), init);
      return (await answer.json()) as T;
    },
    /** Stops terminals and programs and removes the folder. */
    async close(): Promise<void> {
      await Promise.allSettled(terminals.map((terminal) => terminal.stop()));
      await Promise.allSettled([hub.stop(), backOffice.stop()]);
      await rm(folder, { recursive: true, force: true });
      process.off("exit", removeFolder);
    },
  };

  /** A back-office session id; one per login. */
  function token(login: string): Promise<string> {
    const known = tokens.get(login) ?? signIn(backOffice.url, { login, password: login });
    tokens.set(login, known);
    return known;
  }

  async function runBackOffice(): Promise<Program> {
    const env = { BACKOFFICE_PORT: String(backOfficePort), BACKOFFICE_DB_PATH: join(folder, "backoffice.sqlite") };
    return startProgram("backoffice-stub/main.ts", env, folder);
  }

  async function runHub(more: Record<string, string> = {}): Promise<Program> {
    const env = {
      ERP_URL: `http://127.0.0.1:${backOfficePort}`,
      HUB_HOST: "127.0.0.1",
      HUB_HTTP_PORT: String(hubPort),
      HUB_DB_PATH: join(folder, "hub.sqlite"),
      HUB_MDNS_ENABLED: "false",
      HUB_STATE_POLL_MS: "500",
      HUB_FORWARD_INTERVAL_MS: "300",
      ...settings,
      ...more,
    };
    return startProgram("dist/hub/main.js", env, folder);
  }
}

/** Resolves when the terminal has the hub's whole state and everything of its own is answered. */
export async function online(terminal: Terminal): Promise<void> {
  if (terminal.connection().name === "online") return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const off = terminal.on("connection", (state) => {
    if (state.name === "online") resolve();
    if (state.name === "ended") reject(new Error(`${state.reason}: ${state.error}`));
  });
  terminal.start();
  await promise.finally(off);
}
