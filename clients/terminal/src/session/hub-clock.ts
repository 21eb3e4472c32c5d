import type { TerminalWorld } from "../world.ts";

const SAMPLES = 8;
/** Between two samples that differ by more the hub's clock was set. */
const SET_MS = 60_000;

interface Sample {
  offset: number;
  wayMs: number;
}

export type HubClock = ReturnType<typeof createHubClock>;

/**
 * The hub's wall clock as this device can know it; a jump of the device's own wall clock does not move it. Takes the
 * sample with the shortest way of the last eight: it is off by at most half of that way.
 */
export function createHubClock(clock: TerminalWorld["clock"]) {
  let samples: Sample[] = [];
  let assumedLeadMs = 0;
  return {
    /** How far the hub's clock is ahead of the device's until the hub has sent its time: as it was before a reload. */
    assume: (leadMs: number): void => void (assumedLeadMs = leadMs),
    /** `serverTime` was in an answer that took from `sentAt` to `receivedAt` (monotonic ms). */
    learn(serverTime: string, sentAt: number, receivedAt: number): void {
      const server = Date.parse(serverTime);
      if (Number.isNaN(server)) return;
      const sample = { offset: server - (sentAt + receivedAt) / 2, wayMs: receivedAt - sentAt };
      const isSame = (other: Sample): boolean =>
        Math.abs(other.offset - sample.offset) <= SET_MS + Math.max(other.wayMs, sample.wayMs);
      samples = [sample, ...samples.filter(isSame)].slice(0, SAMPLES);
    },
    /** Forgets what it learned: a new connection, perhaps after a sleep in which the monotonic clock stood still. */
    forget(): void {
      samples = [];
    },
    /** The hub's time in ms since 1970; as the device knows it until the hub has sent its. */
    now(): number {
      const [first, ...others] = samples;
      if (first === undefined) return clock.now() + assumedLeadMs;
      const best = others.reduce((one, other) => (other.wayMs < one.wayMs ? other : one), first);
      return clock.monotonic() + best.offset;
    },
  };
}
