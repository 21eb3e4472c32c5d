import type { World } from "../platform/world.ts";

export type TerminalClock = ReturnType<typeof createTerminalClock>;

/** A clock that moves by more than this against another was set. */
const SET_MS = 60_000;

/**
 * A terminal's clock as it stands against the hub's monotonic clock, so that setting the hub's wall clock changes
 * nothing about how long ago something was queued. A terminal that sends no time is assumed to have the hub's.
 * `clientTime` is the time in AUTH, `lastOffsetMs` the offset at the end of this terminal's last session.
 */
export function createTerminalClock(
  clock: World["clock"],
  clientTime: string | undefined,
  lastOffsetMs: number | null,
) {
  const hubLead = (): number => clock.now() - clock.monotonic();
  /** How far the terminal's clock is ahead of the hub's monotonic clock. */
  let lead: number | null = null;
  /** The same before it was set: what was queued by then is stamped by it. */
  let earlierLead: number | null = null;
  if (clientTime === undefined) earlierLead = hubLead();
  else {
    if (lastOffsetMs !== null) lead = hubLead() - lastOffsetMs;
    learn(clientTime);
  }

  /** Takes the time that the terminal has just sent. */
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
     * When something was queued, in ms by the hub's monotonic clock. Stamped before or after the terminal's clock was set:
     * the later of the two times that is not in the future.
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
