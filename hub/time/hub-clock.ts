import type { World } from "../platform/world.ts";

/** A clock before this is wrong: what a machine shows whose battery is empty. */
export const PLAUSIBLE_SINCE = Date.parse("2026-01-01T00:00:00Z");

export type HubClock = ReturnType<typeof createHubClock>;

/**
 * The clock by which the hub stamps: that of its machine as it stands, and the hub's own time while that one shows a time
 * which cannot be.
 */
export function createHubClock(machine: World["clock"]) {
  let time: { now(): number } | null = null;

  return {
    machine,
    clock: {
      ...machine,
      now(): number {
        const wall = machine.now();
        return wall < PLAUSIBLE_SINCE && time !== null ? time.now() : wall;
      },
    } satisfies World["clock"],
    /** Takes the hub's own time, which is measured by the machine's clock. */
    follow: (trusted: { now(): number }): void => void (time = trusted),
  };
}
