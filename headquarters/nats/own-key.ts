import { readFile, writeFile } from "node:fs/promises";
import { createUser } from "@nats-io/nkeys";

/** The nkey by which headquarters are known to their NATS server: the seed in `file`, made at the first start. */
export async function readOwnKey(file: string): Promise<Uint8Array> {
  try {
    await writeFile(file, createUser().getSeed(), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFile(file).then((seed) => new TextEncoder().encode(seed.toString("utf8").trim()));
}
