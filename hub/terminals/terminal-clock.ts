import type { World } from "../platform/world.ts";

export type TerminalClock = ReturnType<typeof createTerminalClock>;

/** A clock that moves by more than this against another was set, in ms. */
const SET_MS = 60_000;

/**
 * A terminal's clock relative to the hub's monotonic clock, so that setting the hub's wall clock does not change how long ago
 * something was queued. A terminal that sends no time is assumed to have the hub's. `clientTime` is the time in AUTH,
 * `lastOffsetMs` the offset at the end of this terminal's last session.
 */
export function createTerminalClock(
  clock: World["clock"],
  clientTime: string | undefined,
  lastOffsetMs: number | null,
) {
  const hubLead = (): number => clock.now() - clock.monotonic();
  /** How far the terminal's clock is ahead of the hub's monotonic clock. */
  let lead: number | null = null;
  /** The lead before the terminal's clock was set; applies to what was queued earlier. */
  let earlierLead: number | null = null;
  if (clientTime === undefined) earlierLead = hubLead();
  else {
    if (lastOffsetMs !== null) lead = hubLead() - lastOffsetMs;
    learn(clientTime);
  }

  /** Records the time that the terminal has just sent. */
  function learn(time: string): void {
    const next = Date.parse(time) - clock.monotonic();
    if (lead !== null && Math.abs(next - lead) > SET_MS) earlierLead = lead;
    lead = next;
  }

  return {
    learn,
    /** How far the hub's wall clock is ahead of the terminal's, ms; 0 while unknown. */
    offsetMs: (): number => (lead === null ? 0 : Math.round(hubLead() - lead)),
    /**
     * Returns when something was queued, in ms of the hub's monotonic clock. It may have been stamped before or after the
     * terminal's clock was set, so this is the later of the two times that is not in the future.
     */
    momentOf(queuedAt: string): number {
      const now = clock.monotonic();
      const leads = [lead ?? hubLead(), ...(earlierLead === null ? [] : [earlierLead])];
      const agesMs = leads.map((each) => Math.round(now + each - Date.parse(queuedAt)));
      const possible = agesMs.filter((ageMs) => ageMs > -SET_MS);
      return now - (possible.length === 0 ? 0 : Math.max(0, Math.min(...possible)));
    },
  };
}
