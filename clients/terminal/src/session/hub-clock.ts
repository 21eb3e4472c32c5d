import type { TerminalWorld } from "../world.ts";

const SAMPLES = 8;
/** If two samples differ by more than this, the hub's clock was set. In ms. */
const SET_MS = 60_000;

interface Sample {
  offset: number;
  wayMs: number;
}

export type HubClock = ReturnType<typeof createHubClock>;

/**
 * Estimates the hub's wall clock, unaffected by jumps of the device's clock. Uses the sample with the shortest round trip of
 * the last eight, whose error is at most half of the round trip.
 */
export function createHubClock(clock: TerminalWorld["clock"]) {
  let samples: Sample[] = [];
  let assumedLeadMs = 0;
  return {
    /** Sets how far the hub's clock is ahead of the device's, as saved before a reload, until the hub sends its time. */
    assume: (leadMs: number): void => void (assumedLeadMs = leadMs),
    /** Adds a sample: `serverTime` was in an answer sent at `sentAt` and received at `receivedAt` (monotonic ms). */
    learn(serverTime: string, sentAt: number, receivedAt: number): void {
      const server = Date.parse(serverTime);
      if (Number.isNaN(server)) return;
      const sample = { offset: server - (sentAt + receivedAt) / 2, wayMs: receivedAt - sentAt };
      const isSame = (other: Sample): boolean =>
        Math.abs(other.offset - sample.offset) <= SET_MS + Math.max(other.wayMs, sample.wayMs);
      samples = [sample, ...samples.filter(isSame)].slice(0, SAMPLES);
    },
    /** Drops the samples for a new connection: the monotonic clock may have stopped during a sleep. */
    forget(): void {
      samples = [];
    },
    /** Returns the hub's time in ms since 1970, estimated from the device's clock until the hub has sent its time. */
    now(): number {
      const [first, ...others] = samples;
      if (first === undefined) return clock.now() + assumedLeadMs;
      const best = others.reduce((one, other) => (other.wayMs < one.wayMs ? other : one), first);
      return clock.monotonic() + best.offset;
    },
  };
}
