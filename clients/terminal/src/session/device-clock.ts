import type { TerminalWorld } from "../world.ts";

/** A wall clock that moved by more against the monotonic one was set. */
const CLOCK_SET_MS = 60_000;

/** This device's wall clock, in ISO 8601. The hub learns how far it is off and corrects the times that it is sent. */
export function createDeviceClock(clock: TerminalWorld["clock"]) {
  let reportedLead = 0;
  const lead = () => clock.now() - clock.monotonic();
  const now = () => new Date(clock.now()).toISOString();
  return {
    now,
    /** `now` for a message from which the hub learns this clock. */
    report() {
      reportedLead = lead();
      return now();
    },
    /** Whether the clock was set since the last report. */
    wasSet: () => Math.abs(lead() - reportedLead) > CLOCK_SET_MS,
  };
}
