import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { openDatabase } from "../db/open.ts";
import { schema } from "../db/schema.ts";

const packageFile = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")),
  "../package.json",
);
const { version } = JSON.parse(readFileSync(packageFile, "utf8")) as { version: string };
const hash = createHash("sha256").update(schema).digest("hex").slice(0, 12);
const prepared = path.resolve(import.meta.dirname, `../../.cache/pglite-${version}-${hash}`);

/** Folders to remove at exit. One listener for all: Node warns of many, and test files of a worker share a process. */
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Creates a folder for headquarters, removed when the process ends. It has a prepared database without rows: creating one
 * takes seconds, and migrating the schema half of a program's start.
 */
export async function testFolder(): Promise<string> {
  if (!existsSync(prepared)) await prepare();
  const folder = emptyFolder();
  cpSync(prepared, path.join(folder, "database"), { recursive: true });
  return folder;
}

export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "headquarters-"));
  folders.add(folder);
  return folder;
}

async function prepare(): Promise<void> {
  const folder = emptyFolder();
  await (await openDatabase({ url: null, dataDir: folder })).close();
  const temporary = `${prepared}.${process.pid}`;
  cpSync(path.join(folder, "database"), temporary, { recursive: true });
  // Removes databases of earlier schemas.
  for (const name of readdirSync(path.dirname(prepared))) {
    const file = path.join(path.dirname(prepared), name);
    if (name.startsWith("pglite-") && !file.startsWith(prepared)) rmSync(file, { recursive: true, force: true });
  }
  try {
    renameSync(temporary, prepared);
  } catch {
    // Another process created it first.
    rmSync(temporary, { recursive: true, force: true });
  }
}
