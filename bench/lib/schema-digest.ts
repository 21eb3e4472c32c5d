import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repoRoot } from "./program.ts";

/**
 * Root of the checkout whose hub is measured: ours, or with `bench:compare` the one that BENCH_HUB's `dist/hub/main.js` is in.
 */
const hubRoot = process.env["BENCH_HUB"] === undefined ? repoRoot : join(dirname(process.env["BENCH_HUB"]), "../..");

/**
 * Returns a digest of the schema and of the code in the folders `makers`. Kept data files carry it, so an outdated one is not
 * reused.
 */
export function schemaDigest(...makers: readonly string[]): string {
  const digest = createHash("sha256");
  const folders = [join(hubRoot, "hub/db/migrations"), ...makers.map((name) => join(repoRoot, name))];
  for (const folder of folders) {
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const code = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
    for (const file of code.toSorted()) digest.update(readFileSync(join(folder, file)));
  }
  return digest.digest("hex").slice(0, 12);
}
