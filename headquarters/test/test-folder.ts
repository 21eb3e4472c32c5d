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

/** All folders share one exit listener: Node warns of many, and the test files of a worker share a process. */
const folders = new Set<string>();
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * Returns a folder for headquarters, removed when the process ends. It has a prepared database with the schema and no rows,
 * because creating one takes seconds.
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
  const beside = `${prepared}.${process.pid}`;
  cpSync(path.join(folder, "database"), beside, { recursive: true });
  // Remove databases that were prepared for earlier schemas.
  for (const name of readdirSync(path.dirname(prepared))) {
    const file = path.join(path.dirname(prepared), name);
    if (name.startsWith("pglite-") && !file.startsWith(prepared)) rmSync(file, { recursive: true, force: true });
  }
  try {
    renameSync(beside, prepared);
  } catch {
    // Another process was faster.
    rmSync(beside, { recursive: true, force: true });
  }
}
