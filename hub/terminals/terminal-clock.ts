import type { World } from "../platform/world.ts";

export type TerminalClock = ReturnType<typeof createTerminalClock>;

/** A clock that moves by more against another was set. */
const SET_MS = 60_000;

/**
 * A terminal's clock as it stands against the hub's monotonic clock, so that setting the hub's wall clock changes
 * nothing about how long ago something was queued. A terminal that tells no time is taken to have the hub's.
 * `clientTime` is what AUTH told, `lastOffsetMs` the offset that this terminal's last session ended with.
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
  let formerLead: number | null = null;
  if (clientTime === undefined) formerLead = hubLead();
  else {
    if (lastOffsetMs !== null) lead = hubLead() - lastOffsetMs;
    learn(clientTime);
  }

  /** The terminal has just said what time it is. */
  function learn(time: string): void {
    const next = Date.parse(time) - clock.monotonic();
    if (lead !== null && Math.abs(next - lead) > SET_MS) formerLead = lead;
    lead = next;
  }

  return {
    learn,
    /** How far the hub's wall clock is ahead of the terminal's, ms; 0 while unknown. */
    offsetMs: (): number => (lead === null ? 0 : Math.round(hubLead() - lead)),
    /**
     * When something was queued, in ms since 1970 by the hub's wall clock. Stamped before or after the terminal's clock
     * was set: the later of the two times that is not in the future.
     */
    hubTimeOf(queuedAt: string): number {
      const leads = [lead ?? hubLead(), ...(formerLead === null ? [] : [formerLead])];
      const agesMs = leads.map((each) => clock.monotonic() + each - Date.parse(queuedAt));
      const possible = agesMs.filter((ageMs) => ageMs > -SET_MS);
      const ageMs = possible.length === 0 ? 0 : Math.max(0, Math.min(...possible));
      return Math.round(clock.now() - ageMs);
    },
  };
}
