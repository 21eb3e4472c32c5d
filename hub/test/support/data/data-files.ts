import { closeSync, copyFileSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { backUp } from "../../../db/backups/keep-backups.ts";
import { finishAsync } from "../../../db/files/steps.ts";
import { createDataFile } from "../../../db/migrate.ts";
import { openDataFile } from "../../../db/open.ts";
import { realWorld } from "../../../platform/world.ts";
import { terminalSnapshot } from "../builders.ts";
import { atEndOfFile } from "../end-of-file.ts";
import { setIdentity } from "./prepared-data-file.ts";
import { sharedBackOffice, startTestHub } from "../start-test-hub.ts";

/** Creates a folder that is removed with the test. */
export function tempFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "hub-file-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Makes a daily backup of another hub's data file in `dir`. Returns its name. */
export async function backUpOtherHub(dir: string): Promise<string> {
  const world = realWorld(pino({ level: "silent" }));
  const file = path.join(tempFolder(), "other.sqlite");
  createDataFile(file, world);
  openDataFile({ file, backupDir: dir, world }).close();
  const { name } = await finishAsync(backUp({ file, dir, kind: "daily", at: Date.now(), bad: [] }));
  return name;
}

/** Environment of a hub program on a data file. By default no back-office is reachable. */
export const hubEnv = (dbPath: string, backOfficeUrl = "http://127.0.0.1:9") => ({
  HUB_DB_PATH: dbPath,
  HUB_HTTP_PORT: "0",
  ERP_URL: backOfficeUrl,
  HUB_LOG_LEVEL: "error",
});

interface FilledFile {
  dbPath: string;
  token: string;
  url: string;
}

let filled: Promise<FilledFile> | null = null;

/**
 * Returns a closed data file with 200 orders, a cashier's session token, and the back-office that issued it. A hub writes
 * the file once per test file; each test gets a copy with another hub's identity.
 */
export async function filledFile(): Promise<FilledFile> {
  filled ??= fill();
  const { dbPath: template, token, url } = await filled;
  await sharedBackOffice();
  const dbPath = path.join(tempFolder(), "hub.sqlite");
  copyFileSync(template, dbPath);
  setIdentity(dbPath, { hub_id: crypto.randomUUID() });
  return { dbPath, token, url };
}

async function fill(): Promise<FilledFile> {
  const hub = await startTestHub();
  const till = await hub.terminal({ login: "cashier" });
  const notes = "n".repeat(900);
  await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      till.change({
        type: "ORDER_UPSERT",
        posReference: `F${i}`,
        baseVersion: 0,
        snapshot: terminalSnapshot({ notes }),
      }),
    ),
  );
  const token = await hub.signIn("cashier");
  const url = hub.backOffice.url;
  await hub.hub.stop();
  const dir = mkdtempSync(path.join(tmpdir(), "hub-filled-"));
  atEndOfFile(async () => {
    filled = null;
    rmSync(dir, { recursive: true, force: true });
  });
  const dbPath = path.join(dir, "hub.sqlite");
  // If a job was still reading when the hub closed the file, the last changes are only in the WAL.
  const closed = new Database(hub.dbPath);
  closed.pragma("wal_checkpoint(TRUNCATE)");
  closed.close();
  copyFileSync(hub.dbPath, dbPath);
  await hub.restart();
  await hub.stop();
  return { dbPath, token, url };
}

/** Counts the rows of a table in a closed data file. */
export function countRows(file: string, table: string): number {
  const db = new Database(file, { readonly: true });
  const { n } = db.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${table}`).get() ?? { n: -1 };
  db.close();
  for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
  return n;
}

/** Lists the files beside a closed data file, except its backups and its reserve. */
export function leftovers(dbPath: string): string[] {
  const name = path.basename(dbPath);
  const others = ["backups", name, `${name}.reserve`];
  return readdirSync(path.dirname(dbPath)).filter((each) => !others.includes(each));
}

/** Overwrites bytes of a file. */
export function overwrite(file: string, position: number, bytes: Buffer): void {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

/** Grows a closed data file above the size that a start checks in full. */
export function growLarge(dbPath: string): void {
  const db = new Database(dbPath);
  const insert = db.prepare("INSERT INTO audit_log (at, user_name, action, detail) VALUES (1, 'x', 'y', ?)");
  db.transaction(() => {
    for (let i = 0; i < 9_000; i += 1) insert.run("z".repeat(4_000));
  })();
  db.close();
  if (statSync(dbPath).size <= 32 * 1024 * 1024) throw new Error("the file is not large");
}

/** Damages a closed data file by zeroing the root page of a table. */
export function zeroRootPage(dbPath: string, table: string): void {
  const db = new Database(dbPath, { readonly: true });
  const find = db.prepare<[string], { page: number }>("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?");
  const { page } = find.get(table) ?? { page: 0 };
  db.close();
  overwrite(dbPath, (page - 1) * 4096, Buffer.alloc(4096));
}
