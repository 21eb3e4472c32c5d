import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";

const packageFile = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")),
  "../package.json",
);
const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
const prepared = path.resolve(import.meta.dirname, `../../.cache/pglite-${version}`);

/** A folder for headquarters, removed when the process ends. Its database is there, still empty: making one takes seconds. */
export async function testFolder(): Promise<string> {
  if (!existsSync(prepared)) await prepare();
  const folder = emptyFolder();
  cpSync(prepared, path.join(folder, "database"), { recursive: true });
  return folder;
}

export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "headquarters-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function prepare(): Promise<void> {
  const folder = path.join(emptyFolder(), "database");
  await (await PGlite.create(folder)).close();
  const beside = `${prepared}.${process.pid}`;
  cpSync(folder, beside, { recursive: true });
  try {
    renameSync(beside, prepared);
  } catch {
    // Another process was faster.
    rmSync(beside, { recursive: true, force: true });
  }
}
