import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createUser } from "@nats-io/nkeys";
import { writeWhole } from "./write-whole.ts";

/**
 * The nkey by which headquarters are known to their NATS server: the seed in `file`, made at the first start, and where a full
 * disk left nothing in it.
 */
export async function readOwnKey(file: string): Promise<Uint8Array> {
  const kept = existsSync(file) ? (await readFile(file, "utf8")).trim() : "";
  if (kept !== "") return new TextEncoder().encode(kept);
  const seed = createUser().getSeed();
  await writeWhole(file, seed, 0o600);
  return seed;
}
