import type { Recorder } from "../changes/change.ts";
import { codeOf } from "../platform/error-facts.ts";
import type { World } from "../platform/world.ts";

/**
 * A document that cannot be made, whatever a check holds, refuses nobody's order or money: it is logged and missing. What the
 * data file refuses ends the write, as ever.
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
