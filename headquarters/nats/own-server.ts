import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../world.ts";
import { findNatsServer } from "./find-server.ts";
import { type NatsServer, runNatsServer } from "./run-server.ts";
import { writeAtomically } from "./write-atomically.ts";

const RESTART_MS = 500;
const STOP_MS = 10_000;
const PORT_WAIT_MS = 15_000;
/**
 * Below the ephemeral ports (from 32,768): an outgoing connection could take one of those while the server is down. It could
 * even be that of a hub that tries to reconnect, which would then be connected to itself.
 */
const PORTS = { first: 24_000, end: 32_000 };
const programsDir = path.resolve(import.meta.dirname, "../../.cache");

/**
 * Runs the built-in NATS server on loopback, with store and configuration in `folder`, and restarts it if it ends. `usersFile`
 * holds the users that may connect. The port is chosen once, because restaurants store the address. Throws an Error if another
 * program keeps the port in use.
 */
export async function runOwnNats({ folder, usersFile }: { folder: string; usersFile: string }, world: World) {
  const { log } = world;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const configFile = path.join(folder, "nats.conf");
  const pidFile = path.join(folder, "nats.pid");
  await stopOrphan(pidFile, configFile);
  const port = await readOrChoosePort(path.join(folder, "port"), world);
  await writeFile(configFile, configuration({ port, folder, pidFile, usersFile }), { mode: 0o600 });
  const start = async (): Promise<NatsServer> =>
    runNatsServer({
      program: await findNatsServer(programsDir),
      configFile,
      port,
      logFile: path.join(folder, "server.log"),
    });

  const stopping = new AbortController();
  const { signal } = stopping;
  let server = await start();
  async function keepRunning(): Promise<void> {
    for (;;) {
      await server.ended;
      if (signal.aborted) return;
      log.error("the NATS server ended and is started again");
      const restarted = await startAgain();
      if (restarted === null) return;
      server = restarted;
      // Headquarters may have been stopped while the server started.
      if (signal.aborted) await server.stop();
    }
  }
  /** Retries until the server has started. Returns null if headquarters stop first. */
  async function startAgain(): Promise<NatsServer | null> {
    for (let waitMs = RESTART_MS; ; waitMs = RESTART_MS * 10) {
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return null;
      try {
        return await start();
      } catch (error) {
        log.error({ err: error }, "the NATS server did not start");
      }
    }
  }
  const running = keepRunning();
  return {
    url: `nats://127.0.0.1:${port}`,
    /** Makes the server reload its users. */
    reload: (): void => server.reload(),
    /** Kills the server, which is then started again. */
    restart(): void {
      log.error("the NATS server answers nothing any more and is ended");
      void server.kill();
    },
    async stop(): Promise<void> {
      stopping.abort();
      await server.stop();
      await running;
    },
  };
}

/**
 * Returns the configuration. Without `authorization` and `no_auth_user`, only nkeys of the users' file can connect. The
 * monitoring port is off. Paths are quoted as JSON, which NATS accepts; the include is relative to the configuration's folder.
 */
function configuration(options: { port: number; folder: string; pidFile: string; usersFile: string }): string {
  const store = JSON.stringify(path.join(options.folder, "store"));
  return `# Written by headquarters at each start.
server_name: headquarters
listen: "127.0.0.1:${options.port}"
pid_file: ${JSON.stringify(options.pidFile)}
max_payload: 1048576
jetstream { store_dir: ${store}, max_file_store: 24GB, max_memory_store: 64MB }
system_account: SYS
accounts {
  SYS {}
  CHAIN {
    jetstream: enabled
    include ${JSON.stringify(path.relative(options.folder, options.usersFile))}
  }
}
`;
}

/**
 * Returns the port chosen at the first start, or a new one if its file has none. Waits while the port is in use: by a
 * connection that is closing, or because headquarters were started twice.
 */
async function readOrChoosePort(file: string, { log }: World): Promise<number> {
  const stored = Number(existsSync(file) ? readFileSync(file, "utf8") : "");
  if (!(stored > 0 && stored < 65_536)) {
    const port = await choosePort();
    await writeAtomically(file, String(port), 0o600);
    return port;
  }
  const deadline = performance.now() + PORT_WAIT_MS;
  for (let attempt = 0; !(await isFree(stored)); attempt += 1) {
    const message = `port ${stored} of loopback, which restaurants know, is in use by another program`;
    if (performance.now() > deadline) throw new Error(message);
    if (attempt === 0) log.warn(`${message}; waiting for it`);
    await pause(100);
  }
  return stored;
}

/** Returns a free loopback port below the ephemeral ports. */
export async function choosePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** Ends a server that was left behind when headquarters were killed, by force if necessary. */
async function stopOrphan(pidFile: string, configFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, "utf8").catch(() => "0"));
  const isRunning = async (): Promise<boolean> => pid > 0 && (await commandOf(pid)).includes(configFile);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await isRunning()) sendSignal(pid, signal);
    const deadline = performance.now() + STOP_MS;
    while ((await isRunning()) && performance.now() < deadline) await pause(20);
  }
  if (await isRunning()) throw new Error(`the NATS server of an earlier start, ${pid}, does not end`);
}

/** Sends a signal to a process that may just have ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Returns a process's command line; empty if there is no such process or the system has no /proc. */
async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
