import path from "node:path";
import { findNatsServer } from "../nats/find-server.ts";

const cache = path.resolve(import.meta.dirname, "../../.cache");

/** Reason why tests that need a NATS server cannot run on this machine; null if they can. */
export const missingNats: string | null = await findNatsServer(cache).then(
  () => null,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);
if (missingNats !== null) process.stderr.write(`Tests of headquarters are skipped. ${missingNats}\n`);
