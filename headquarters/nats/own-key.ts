import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { createUser } from "@nats-io/nkeys";

/**
 * The nkey by which headquarters are known to their NATS server: the seed in `file`, made at the first start, and where a full
 * disk left nothing in it.
 */
export async function readOwnKey(file: string): Promise<Uint8Array> {
  const kept = existsSync(file) ? (await readFile(file, "utf8")).trim() : "";
  if (kept !== "") return new TextEncoder().encode(kept);
  const seed = createUser().getSeed();
  // Whole or not at all.
  await writeFile(`${file}.part`, seed, { mode: 0o600, flush: true });
  await rename(`${file}.part`, file);
  return seed;
}
