import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createUser } from "@nats-io/nkeys";
import { writeAtomically } from "./write-atomically.ts";

/**
 * Returns the seed of headquarters' own nkey from `file`. Creates it at the first start, and if a full disk left the file
 * empty.
 */
export async function readOwnKey(file: string): Promise<Uint8Array> {
  const stored = existsSync(file) ? (await readFile(file, "utf8")).trim() : "";
  if (stored !== "") return new TextEncoder().encode(stored);
  const seed = createUser().getSeed();
  await writeAtomically(file, seed, 0o600);
  return seed;
}
