import { CloseCode, hubLimits } from "@comanda/protocol";
import type { World } from "../../platform/world.ts";
import type { TerminalSession } from "./terminal-session.ts";

const TICK_MS = 500;

/** Pings the terminals, and closes connections that are silent or do not read what they are sent. */
export function createSilenceWatch(
  { clock, timers }: World,
  heartbeatMs: number,
  sessions: ReadonlySet<TerminalSession>,
) {
  let timer: NodeJS.Timeout | undefined;
  let lastTickAt = 0;

  function tick(): void {
    const now = clock.monotonic();
    // While this process was stalled it received nothing: that is not the terminals' silence.
    const isAfterStall = now - lastTickAt > heartbeatMs;
    lastTickAt = now;
    for (const session of sessions) {
      if (isAfterStall) session.heard(now);
      const isActive = session.state.kind === "active";
      if (isActive) session.ping(now);
      if (isActive && now - session.lastHeardAt() > 2 * heartbeatMs) {
        session.close(CloseCode.policyViolation, "silent for two heartbeats");
      } else if (session.stalledMs(now) > hubLimits.notReadingMs) {
        session.close(CloseCode.policyViolation, "not reading");
      }
    }
    timer = timers.setTimeout(tick, Math.min(TICK_MS, heartbeatMs / 2));
  }

  return {
    start(): void {
      lastTickAt = clock.monotonic();
      tick();
    },
    stop: (): void => timers.clearTimeout(timer),
  };
}
