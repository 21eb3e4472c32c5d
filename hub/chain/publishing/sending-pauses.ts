import { messageOf } from "../../platform/error-facts.ts";
import { isoTime, type World } from "../../platform/world.ts";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export type SendingPauses = ReturnType<typeof createSendingPauses>;

/** When a publisher may send again: after a failure ever later, and after a batch when the line had time for it. */
export function createSendingPauses({ world, onState }: { world: World; onState(): void }) {
  const { clock } = world;
  /** Monotonic: nothing is sent before it. */
  let notBefore = 0;
  let failures = 0;
  let stopped: { since: number; error: string } | null = null;

  return {
    /** Since when nothing could be sent (ms since 1970), and why; null while it can. */
    stopped: () => stopped,
    /** Zero or less: now. */
    untilDueMs: (): number => notBefore - clock.monotonic(),
    /** Said once, and again when it is over: an evening without headquarters does not fill the log. */
    pause(error: unknown): void {
      const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
      failures += 1;
      notBefore = clock.monotonic() + wait * (0.75 + (0.5 * (world.random.bytes(1)[0] ?? 0)) / 255);
      if (stopped !== null) return;
      stopped = { since: clock.now(), error: messageOf(error) };
      world.log.warn({ err: error }, "headquarters cannot be sent anything for now; it is tried again");
      onState();
    },
    goOn(): void {
      failures = 0;
      if (stopped === null) return;
      world.log.info({ since: isoTime(stopped.since) }, "headquarters get what changed again");
      stopped = null;
      onState();
    },
    /** So many bytes were sent over a line of so many kilobits a second. */
    sent(bytes: number, kbps: number): void {
      notBefore = clock.monotonic() + (bytes * 8) / kbps;
    },
    /** The line is new. */
    forget(): void {
      notBefore = 0;
    },
  };
}
