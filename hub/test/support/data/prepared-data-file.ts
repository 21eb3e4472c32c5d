import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { createDataFile } from "../../../db/migrate.ts";
import { sealedColumns, sealOf } from "../../../db/integrity/sealed-tables.ts";
import type { World } from "../../../platform/world.ts";
import { atExit } from "../at-exit.ts";

let prepared: string | null = null;

/**
 * Puts an empty data file where a hub starts for the first time, with ids and a key that no other has: as the hub makes
 * one, whose migrations are two thirds of its start and run once for all tests of this process.
 */
export function putDataFile(file: string, world: World): void {
  prepared ??= prepare(world);
  copyFileSync(prepared, file);
  setIdentity(file, {
    hub_id: world.random.uuid(),
    epoch: world.random.uuid(),
    digest_key: world.random.bytes(32),
  });
}

/** Makes the copy of a closed data file that of another hub: what two hubs of one id send, the back-office books once. */
export function setIdentity(file: string, values: Readonly<Record<string, string | Buffer>>): void {
  const db = new Database(file);
  const columns = Object.keys(values).map((column) => `${column} = @${column}`);
  db.prepare(`UPDATE hub_state SET ${columns.join(", ")}`).run(values);
  db.exec(`UPDATE hub_state SET seal = ${sealOf(sealedColumns(db).get("hub_state") ?? [])}`);
  db.close();
}

function prepare(world: World): string {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-prepared-"));
  atExit(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "hub.sqlite");
  createDataFile(file, world);
  return file;
}
