import { CloseCode, hubLimits } from "@comanda/protocol";
import type { World } from "../../platform/world.ts";
import type { TerminalSession } from "./terminal-session.ts";

const TICK_MS = 500;

/** Pings the terminals. Closes connections that are silent or do not read. */
export function createSilenceWatch(deps: {
  world: World;
  heartbeatMs: number;
  sessions: ReadonlySet<TerminalSession>;
  leave: (session: TerminalSession) => void;
}) {
  const { world, heartbeatMs, sessions, leave } = deps;
  const { clock, timers } = world;
  /** Sessions removed for not reading. They are closed once their unsent data has drained. */
  const lingering = new Set<TerminalSession>();
  let timer: NodeJS.Timeout | undefined;
  let lastTickAt = 0;

  function tick(): void {
    const now = clock.monotonic();
    // A stalled process receives nothing, so the terminals are not to blame for the silence.
    const isAfterStall = now - lastTickAt > heartbeatMs;
    lastTickAt = now;
    for (const session of sessions) {
      if (isAfterStall) session.noteReceived(now);
      const isActive = session.state.kind === "active";
      if (isActive) session.ping(now);
      if (isActive && now - session.lastHeardAt() > 2 * heartbeatMs) {
        session.close(CloseCode.policyViolation, "silent for two heartbeats");
      } else if (session.stalledMs(now) > hubLimits.notReadingMs) {
        leave(session);
        lingering.add(session);
      }
    }
    for (const session of lingering) part(session, session.stalledMs(now));
    timer = timers.setTimeout(tick, Math.min(TICK_MS, heartbeatMs / 2));
  }

  /** Closes a lingering session with the reason if it reads again; terminates it if it does not. */
  function part(session: TerminalSession, stalledMs: number): void {
    if (stalledMs > 2 * hubLimits.notReadingMs) session.socket.terminate();
    else if (stalledMs > 0) return;
    else session.close(CloseCode.policyViolation, "not reading");
    lingering.delete(session);
  }

  return {
    start(): void {
      lastTickAt = clock.monotonic();
      tick();
    },
    stop(): void {
      timers.clearTimeout(timer);
      for (const session of lingering) session.socket.terminate();
    },
  };
}
