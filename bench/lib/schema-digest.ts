import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "./program.ts";

/** Changes with the migrations, so that a kept data file is never one of an older schema; `makers` are folders of code that made it. */
export function schemaDigest(...makers: readonly string[]): string {
  const digest = createHash("sha256");
  for (const name of ["hub/db/migrations", ...makers]) {
    const folder = join(repoRoot, name);
    const files = readdirSync(folder).filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    for (const file of files.sort()) digest.update(readFileSync(join(folder, file)));
  }
  return digest.digest("hex").slice(0, 12);
}
