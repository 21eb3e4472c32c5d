import type { ChangeLog } from "../changes/change-log.ts";
import { writeOrLog } from "../changes/write-or-log.ts";
import type { Memory } from "../db/remembered.ts";
import { logEvent } from "../platform/log-event.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeFailureReason } from "./back-office-error.ts";

/** How often the time of the last answer is stored, and so how much of it a power cut can lose. */
const SAVE_EVERY_MS = 10 * 60_000;
const LAST_CONTACT = "backOfficeContact";

export type Reachability = ReturnType<typeof createReachability>;

/** Tracks from every call whether the back-office answers. The time of its last answer outlives a restart. */
export function createReachability(deps: { world: World; changes: Pick<ChangeLog, "write">; memory: Memory }) {
  const { world, memory } = deps;
  let isUp: boolean | null = null;
  let isNetworkDown = false;
  let lastContactAt = memory.read(LAST_CONTACT)?.at ?? null;
  let savedAt = lastContactAt;
  /** Earliest time of the next save, in ms of the monotonic clock. */
  let saveAfter = -Infinity;
  const listeners: ((isUp: boolean) => void)[] = [];

  async function save(): Promise<void> {
    const at = lastContactAt;
    if (at === null || at === savedAt) return;
    savedAt = at;
    saveAfter = world.clock.monotonic() + SAVE_EVERY_MS;
    const failure = "the time of the back-office's last answer could not be stored";
    if (!(await writeOrLog(deps, failure, () => memory.write(LAST_CONTACT, null, at)))) savedAt = null;
  }

  return {
    note(reached: boolean, reason?: BackOfficeFailureReason): void {
      isNetworkDown = !reached && reason === "no_network";
      if (reached) lastContactAt = world.clock.now();
      if (!reached || world.clock.monotonic() >= saveAfter) void save();
      if (isUp === reached) return;
      isUp = reached;
      const event = logEvent(reached ? "back_office_answers" : "back_office_unreachable", { reached, reason });
      world.log.info(event, reached ? "the back-office answers" : "the back-office cannot be reached");
      for (const listener of listeners) listener(reached);
    },
    /** Null until the first call has ended. */
    isUp: (): boolean | null => isUp,
    /** Whether the last call failed because this computer has no network. */
    isNetworkDown: (): boolean => isNetworkDown,
    /** Wall time of the last answer, ms since 1970, or null. */
    lastContactAt: (): number | null => lastContactAt,
    onChange: (listener: (isUp: boolean) => void): void => void listeners.push(listener),
    stop: save,
  };
}
