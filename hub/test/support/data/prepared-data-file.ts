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
 * Creates an empty data file with unique ids and a key, as a hub does at its first start. The migrations, two thirds of
 * a start, run only once for all tests of this process.
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

/** Gives a copied data file another identity. The back-office would book events of two hubs with one id only once. */
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
