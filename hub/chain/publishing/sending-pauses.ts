import { messageOf } from "../../platform/error-facts.ts";
import { isoTime, type World } from "../../platform/world.ts";

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

export type SendingPauses = ReturnType<typeof createSendingPauses>;

/** Decides when a publisher may send again: with backoff after failures, and at the line's rate after a batch. */
export function createSendingPauses({ world, onState }: { world: World; onState(): void }) {
  const { clock } = world;
  /** Monotonic time before which nothing is sent. */
  let notBefore = 0;
  let failures = 0;
  let stopped: { since: number; error: string } | null = null;

  return {
    /** Since when sending fails (ms since 1970), and why; null while it works. */
    stopped: () => stopped,
    /** Zero or less means now. */
    untilDueMs: (): number => notBefore - clock.monotonic(),
    /** Logs only the first failure and the recovery: an evening without headquarters must not fill the log. */
    pause(error: unknown): void {
      const wait = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
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
    /** Waits as long as sending `bytes` takes at `kbps`. */
    sent(bytes: number, kbps: number): void {
      notBefore = clock.monotonic() + (bytes * 8) / kbps;
    },
    /** Called when the connection is new. */
    forget(): void {
      notBefore = 0;
    },
  };
}
