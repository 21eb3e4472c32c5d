import type { World } from "../platform/world.ts";

export type HubClock = ReturnType<typeof createHubClock>;

/** Creates the clock for the hub's timestamps: the hub's time once it is known, until then the machine's. */
export function createHubClock(machine: World["clock"]) {
  let time: { stamp(): number } | null = null;

  return {
    machine,
    clock: { ...machine, now: () => time?.stamp() ?? machine.now() } satisfies World["clock"],
    /** Sets the hub's own time, which is measured with the machine's clock. */
    follow: (trusted: { stamp(): number }): void => void (time = trusted),
  };
}
