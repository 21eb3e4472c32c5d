import type { TerminalWorld } from "../world.ts";

/** If the wall clock moved against the monotonic clock by more than this, it was set. In ms. */
const CLOCK_SET_MS = 60_000;

/** This device's wall clock, in ISO 8601. The hub learns its offset and corrects the times that it receives. */
export function createDeviceClock(clock: TerminalWorld["clock"]) {
  let reportedLead = 0;
  const lead = () => clock.now() - clock.monotonic();
  const now = () => new Date(clock.now()).toISOString();
  return {
    now,
    /** Returns `now` for a message from which the hub learns the clock's offset. */
    report() {
      reportedLead = lead();
      return now();
    },
    /** Whether the clock was set since the last report. */
    wasSet: () => Math.abs(lead() - reportedLead) > CLOCK_SET_MS,
  };
}
