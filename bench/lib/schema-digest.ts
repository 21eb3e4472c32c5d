import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repoRoot } from "./program.ts";

/** Root of the checkout whose hub is measured: ours, or the one with BENCH_HUB (`dist/hub/main.js`, for `bench:compare`). */
const hubRoot = process.env["BENCH_HUB"] === undefined ? repoRoot : join(dirname(process.env["BENCH_HUB"]), "../..");

/** Returns a digest of the schema and of the code in `makers` (folders): a kept data file with another one is outdated. */
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
