import type { World } from "../platform/world.ts";

export type HubClock = ReturnType<typeof createHubClock>;

/** Creates the hub's clock: the machine's or, while that shows an impossible time, the hub's own time. */
export function createHubClock(machine: World["clock"]) {
  let time: { stamp(): number } | null = null;

  return {
    machine,
    clock: { ...machine, now: () => time?.stamp() ?? machine.now() } satisfies World["clock"],
    /** Takes the hub's own time, which is measured by the machine's clock. */
    follow: (trusted: { stamp(): number }): void => void (time = trusted),
  };
}
