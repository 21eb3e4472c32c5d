import type { World } from "../platform/world.ts";
import type { Notice } from "./change.ts";
import type { ChangeLog } from "./change-log.ts";

/** Sends a notice to the screens. A failure is only logged, because nothing depends on the notice. */
export function notifyScreens(changes: ChangeLog, { log }: World, notice: Notice): void {
  changes
    .write((tx) => tx.emit({ kind: "notice", notice }))
    .catch((error: unknown) => log.warn({ err: error, notice }, "the screens could not be notified"));
}
