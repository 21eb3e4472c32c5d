import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { repoRoot } from "./program.ts";

/** Of the checkout whose hub is measured; ours unless `bench:compare` says otherwise (`dist/hub/main.js` in it). */
const hubRoot = process.env["BENCH_HUB"] === undefined ? repoRoot : join(dirname(process.env["BENCH_HUB"]), "../..");

/** Changes with the schema, so that a kept data file is never one of another; `makers` are folders of code that made it. */
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
