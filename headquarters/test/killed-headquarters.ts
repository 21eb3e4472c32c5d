import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { choosePort } from "../nats/own-server.ts";
import { startCuttableLine } from "./cuttable-line.ts";
import { endProgram, type Program, startProgram } from "./headquarters-program.ts";
import { missingNats } from "./nats-server.ts";
import { missingPostgres, startPostgres } from "./postgres-server.ts";
import { missingMount, mountSmallDisk } from "./small-disk.ts";
import { emptyFolder } from "./test-folder.ts";

export const missingParts = missingNats ?? missingPostgres ?? missingMount;

/** Duration of a hanging line. A hub drops it after two unanswered pings. */
const HANG_MS = 35_000;
const DATABASE = "chain";

/**
 * Starts headquarters' program with a PostgreSQL server and a small disk for its NATS server. Each fault lasts while its
 * `meanwhile` runs and is then repaired. Restaurants reach NATS through a line that can be cut.
 */
export async function startKilledHeadquarters() {
  const postgres = await startPostgres();
  await postgres.run("postgres", `CREATE DATABASE ${DATABASE}`);
  const folder = emptyFolder();
  const disk = mountSmallDisk(folder, 400);
  const nats = path.join(folder, "nats");
  const [store, pidFile] = [path.join(nats, "store"), path.join(nats, "nats.pid")];
  const [port, natsPort] = [await choosePort(), await choosePort()];
  mkdirSync(nats);
  writeFileSync(path.join(nats, "port"), String(natsPort));
  const natsUrl = `nats://127.0.0.1:${natsPort}`;
  const line = await startCuttableLine(natsUrl);
  const settings = {
    HQ_DATA_DIR: folder,
    HQ_DATABASE_URL: postgres.url(DATABASE),
    HQ_NATS_PUBLIC_URL: line.url,
    HQ_CHAIN_NAME: "Cadena",
    HQ_PORT: String(port),
  };
  let program: Program = startProgram(settings);
  const url = await program.url();
  const logged = program.lines;

  async function start(): Promise<void> {
    program = startProgram(settings);
    await program.url();
  }
  async function kill(): Promise<void> {
    program.child.kill("SIGKILL");
    await program.ended;
  }
  const killNats = (): boolean => process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL");
  const query = <Row extends object>(sql: string): Promise<Row[]> => postgres.run<Row>(DATABASE, sql);
  const cutDatabase = () =>
    postgres.run("postgres", `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${DATABASE}'`);

  type Fault = (meanwhile: () => Promise<void>) => Promise<void>;
  /** Runs `meanwhile`, brings back the state from before it, and runs `meanwhile` again. */
  const yesterday =
    (keep: () => unknown, restart: () => unknown): Fault =>
    async (meanwhile) => {
      await endProgram(program);
      await keep();
      await start();
      await meanwhile();
      await kill();
      await restart();
      await meanwhile();
      await start();
    };

  const faults = {
    async killHeadquarters(meanwhile) {
      await kill();
      await meanwhile();
      await start();
    },
    async killNats(meanwhile) {
      killNats();
      await meanwhile();
    },
    async loseStore(meanwhile) {
      await kill();
      // The new batches are only in the stream.
      await meanwhile();
      killNats();
      rmSync(store, { recursive: true });
      await meanwhile();
      await start();
    },
    oldStore: yesterday(
      () => cpSync(store, `${folder}.store`, { recursive: true }),
      () => {
        killNats();
        rmSync(store, { recursive: true });
        cpSync(`${folder}.store`, store, { recursive: true });
        rmSync(`${folder}.store`, { recursive: true });
      },
    ),
    async fullDisk(meanwhile) {
      disk.fill();
      await meanwhile();
      await pause(5_000);
      disk.clear();
    },
    async killPostgres(meanwhile) {
      await postgres.stop("kill");
      await meanwhile();
      await postgres.start();
    },
    async readOnly(meanwhile) {
      await postgres.run("postgres", `ALTER DATABASE ${DATABASE} SET default_transaction_read_only = on`);
      await cutDatabase();
      await meanwhile();
      await postgres.run("postgres", `ALTER DATABASE ${DATABASE} RESET default_transaction_read_only`);
      await cutDatabase();
    },
    oldDatabase: yesterday(
      () => postgres.run("postgres", `CREATE DATABASE yesterday TEMPLATE ${DATABASE}`),
      async () => {
        await cutDatabase();
        await postgres.run("postgres", `DROP DATABASE ${DATABASE}`);
        await postgres.run("postgres", `ALTER DATABASE yesterday RENAME TO ${DATABASE}`);
      },
    ),
    async twoIngesters(meanwhile) {
      const copy = emptyFolder();
      cpSync(folder, copy, { recursive: true, filter: (file) => file !== store && !file.endsWith(".sock") });
      const second = startProgram({ ...settings, HQ_DATA_DIR: copy, HQ_NATS_URL: natsUrl, HQ_PORT: "0" });
      await second.url();
      await meanwhile();
      await endProgram(second);
    },
    async hangingLine(meanwhile) {
      line.hang();
      await meanwhile();
      await pause(HANG_MS);
      await line.cut();
      await line.mend();
    },
  } satisfies Record<string, Fault>;

  return {
    url,
    logged,
    query,
    faults: faults as Record<string, Fault>,
    async stop() {
      await endProgram(program);
      await line.cut();
      await postgres.stop("immediate");
      disk.unmount();
    },
  };
}
