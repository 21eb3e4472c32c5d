import type { World } from "../platform/world.ts";

export type HubClock = ReturnType<typeof createHubClock>;

/** The clock by which the hub stamps, once it has a time of its own; until then that of its machine. */
export function createHubClock(machine: World["clock"]) {
  let time: { stamp(): number } | null = null;

  return {
    machine,
    clock: { ...machine, now: () => time?.stamp() ?? machine.now() } satisfies World["clock"],
    /** Takes the hub's own time, which is measured by the machine's clock. */
    follow: (trusted: { stamp(): number }): void => void (time = trusted),
  };
}
