import type { Recorder } from "../changes/change.ts";
import { codeOf } from "../platform/error-facts.ts";
import type { World } from "../platform/world.ts";

/**
 * Wraps a recorder so that a document that cannot be made never blocks an order or a payment: it is logged and left out.
 * Database errors still end the write.
 */
export function keepWriting({ log }: Pick<World, "log">, record: Recorder): Recorder {
  return (change, tx) => {
    try {
      record(change, tx);
    } catch (error) {
      if (codeOf(error).startsWith("SQLITE_")) throw error;
      log.error({ err: error, change: change.kind }, "a document could not be made");
    }
  };
}
