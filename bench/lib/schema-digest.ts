import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "./program.ts";

/** Changes with the migrations, so that a kept file is never one of an older schema. */
export function schemaDigest(): string {
  const folder = join(repoRoot, "hub", "db", "migrations");
  const digest = createHash("sha256");
  for (const file of readdirSync(folder).sort()) digest.update(readFileSync(join(folder, file)));
  return digest.digest("hex").slice(0, 12);
}
