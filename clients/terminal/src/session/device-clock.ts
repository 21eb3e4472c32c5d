/** A wall clock that moved by more against the monotonic one was set. */
const CLOCK_SET_MS = 60_000;

/** This device's wall clock. The hub learns how far it is off and corrects the times that it is sent. */
export interface DeviceClock {
  /** ISO 8601. */
  now(): string;
  /** `now` for a message from which the hub learns this clock. */
  report(): string;
  /** Whether the clock was set since the last report. */
  wasSet(): boolean;
}

export function createDeviceClock(clock: { now(): number; monotonic(): number }): DeviceClock {
  let reportedLead = 0;
  const lead = () => clock.now() - clock.monotonic();
  const now = () => new Date(clock.now()).toISOString();
  return {
    now,
    report() {
      reportedLead = lead();
      return now();
    },
    wasSet: () => Math.abs(lead() - reportedLead) > CLOCK_SET_MS,
  };
}
