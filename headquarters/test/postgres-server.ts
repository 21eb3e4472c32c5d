import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { emptyFolder } from "./test-folder.ts";

const VERSIONS = "/usr/lib/postgresql";
/** User id for the server, because PostgreSQL refuses to run as root. */
const NOBODY_UID = 65_534;

/** Reason why tests that need a PostgreSQL server cannot run on this machine; null if they can. */
export const missingPostgres: string | null =
  programs() === null ? `There is no PostgreSQL server below ${VERSIONS}, nor in HQ_TEST_POSTGRES.` : null;
if (missingPostgres !== null) process.stderr.write(`Tests with PostgreSQL are skipped. ${missingPostgres}\n`);

function programs(): string | null {
  const configured = process.env["HQ_TEST_POSTGRES"];
  if (configured !== undefined) return configured;
  if (!existsSync(VERSIONS)) return null;
  const folders = readdirSync(VERSIONS).map((version) => path.join(VERSIONS, version, "bin"));
  return folders.toSorted().findLast((folder) => existsSync(path.join(folder, "initdb"))) ?? null;
}

/**
 * Signals that end the server: `fast` notifies clients. `immediate` is a crash with recovery at the next start, and so
 * is `kill`, which the server's other processes must detect themselves.
 */
const SIGNALS = { fast: "SIGINT", immediate: "SIGQUIT", kill: "SIGKILL" } as const;

/** Starts a private PostgreSQL server on loopback with a fixed port and its files in `home`. */
export async function startPostgres(home = emptyFolder()) {
  const bin = programs();
  if (bin === null) throw new Error(missingPostgres ?? "");
  const folder = path.join(home, "postgres");
  mkdirSync(folder);
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? { uid: NOBODY_UID, gid: NOBODY_UID } : {};
  if (isRoot) {
    chownSync(path.dirname(folder), NOBODY_UID, NOBODY_UID);
    chownSync(folder, NOBODY_UID, NOBODY_UID);
  }
  const data = path.join(folder, "data");
  const initdb = ["-D", data, "-U", "hq", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(path.join(bin, "initdb"), initdb, { ...as, cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const port = await freePort();
  const options = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "shared_buffers=32MB"];
  const args = ["-D", data, "-p", String(port), ...options.flatMap((option) => ["-c", option])];
  const url = (database: string): string => `postgres://hq@127.0.0.1:${port}/${database}`;
  let server: ChildProcess | null = null;

  async function start(): Promise<void> {
    for (const tooLate = performance.now() + 20_000; ; await pause(20)) {
      // It does not start while processes of a killed server still run.
      if (server === null || server.exitCode !== null) {
        server = spawn(path.join(bin ?? "", "postgres"), args, { ...as, cwd: folder, stdio: "ignore" });
      }
      const isUp = await run("postgres", "SELECT 1").then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (performance.now() > tooLate) throw new Error("PostgreSQL did not start");
    }
  }

  async function stop(how: keyof typeof SIGNALS = "fast"): Promise<void> {
    const ending = server;
    server = null;
    if (ending === null || ending.exitCode !== null) return;
    ending.kill(SIGNALS[how]);
    await once(ending, "exit");
  }

  async function run<Row extends object>(database: string, sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: url(database) });
    // The server may end during the query.
    client.on("error", () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  await start();
  return { url, start, stop, run };
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
