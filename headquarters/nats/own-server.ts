import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../world.ts";
import { findNatsServer } from "./find-server.ts";
import { type NatsServer, runNatsServer } from "./run-server.ts";
import { writeWhole } from "./write-whole.ts";

const RESTART_MS = 500;
const STOP_MS = 10_000;
const PORT_WAIT_MS = 15_000;
/**
 * Below those that systems give to outgoing connections (from 32,768): one of these could have the port while the server is
 * away, even a restaurant's own that looks for it, which then is connected with itself.
 */
const PORTS = { first: 24_000, end: 32_000 };
const programs = path.resolve(import.meta.dirname, "../../.cache");

/**
 * Runs a NATS server of its own on loopback, with its store and configuration in `folder`; one that ends is started again.
 * `usersFile` holds who may connect. Its port is chosen once, because restaurants keep the address. Throws an Error where
 * another program has that port and keeps it.
 */
export async function runOwnNats({ folder, usersFile }: { folder: string; usersFile: string }, world: World) {
  const { log } = world;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const configFile = path.join(folder, "nats.conf");
  const pidFile = path.join(folder, "nats.pid");
  await stopOrphan(pidFile, configFile);
  const port = await keptPort(path.join(folder, "port"), world);
  await writeFile(configFile, configuration({ port, folder, pidFile, usersFile }), { mode: 0o600 });
  const start = async (): Promise<NatsServer> =>
    runNatsServer({
      program: await findNatsServer(programs),
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
      const again = await startAgain();
      if (again === null) return;
      server = again;
      // Headquarters may have been stopped while it started: Ctrl-C ends the server with them.
      if (signal.aborted) await server.stop();
    }
  }
  /** Null where headquarters stop first. */
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
    /** Reads the users again. */
    reload: (): void => server.reload(),
    /** Ends it at once, whatever it does; it is started again. */
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
 * No `authorization` block and no `no_auth_user`: who has no nkey of the users' file stays out. The monitoring port is off.
 * Paths are quoted as JSON, which is valid there; what is included is looked for beside the configuration.
 */
function configuration(given: { port: number; folder: string; pidFile: string; usersFile: string }): string {
  const store = JSON.stringify(path.join(given.folder, "store"));
  return `# Written by headquarters at each start.
server_name: headquarters
listen: "127.0.0.1:${given.port}"
pid_file: ${JSON.stringify(given.pidFile)}
max_payload: 1048576
jetstream { store_dir: ${store}, max_file_store: 24GB, max_memory_store: 64MB }
system_account: SYS
accounts {
  SYS {}
  CHAIN {
    jetstream: enabled
    include ${JSON.stringify(path.relative(given.folder, given.usersFile))}
  }
}
`;
}

/**
 * The port of the first start; another where its file cannot be read. Where something else has it, it is waited for: a
 * connection that is just ending, or a program that was started twice.
 */
async function keptPort(file: string, { log }: World): Promise<number> {
  const kept = Number(existsSync(file) ? readFileSync(file, "utf8") : "");
  if (!(kept > 0 && kept < 65_536)) {
    const port = await choosePort();
    await writeWhole(file, String(port), 0o600);
    return port;
  }
  const tooLate = performance.now() + PORT_WAIT_MS;
  for (let tries = 0; !(await isFree(kept)); tries += 1) {
    const said = `port ${kept} of loopback, which restaurants know, is in use by another program`;
    if (performance.now() > tooLate) throw new Error(said);
    if (tries === 0) log.warn(`${said}; waiting for it`);
    await pause(100);
  }
  return kept;
}

/** A free port of loopback that no system gives to an outgoing connection. */
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

/** Ends the server that headquarters left behind when they were killed: one that does not end by itself as well. */
async function stopOrphan(pidFile: string, configFile: string): Promise<void> {
  const pid = Number(await readFile(pidFile, "utf8").catch(() => "0"));
  const isThere = async (): Promise<boolean> => pid > 0 && (await commandOf(pid)).includes(configFile);
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await isThere()) sendSignal(pid, signal);
    const tooLate = performance.now() + STOP_MS;
    while ((await isThere()) && performance.now() < tooLate) await pause(20);
  }
  if (await isThere()) throw new Error(`the NATS server of an earlier start, ${pid}, does not end`);
}

/** To a process that may just have ended. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Empty where there is no such process, or the system does not say. */
async function commandOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}
