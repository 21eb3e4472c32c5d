import type { ActiveTerminal, TerminalSession } from "./terminal-session.ts";

/** A terminal that is signed in, and its connection. */
export interface ConnectedTerminal {
  session: TerminalSession;
  active: ActiveTerminal;
}

export type SessionRegistry = ReturnType<typeof createSessionRegistry>;

/** Every connection, and for each terminal the one that is in use. */
export function createSessionRegistry() {
  const sessions = new Set<TerminalSession>();
  const byTerminal = new Map<string, TerminalSession>();

  return {
    all: sessions as ReadonlySet<TerminalSession>,
    add: (session: TerminalSession): void => void sessions.add(session),
    /** Makes a connection the one in use of a terminal. */
    use: (terminalId: string, session: TerminalSession): void => void byTerminal.set(terminalId, session),
    remove: (session: TerminalSession): void => void sessions.delete(session),
    /** The terminal has no connection in use any more; false when that was another one. */
    leave(terminalId: string, session: TerminalSession): boolean {
      return byTerminal.get(terminalId) === session && byTerminal.delete(terminalId);
    },
    sessionOf: (terminalId: string): TerminalSession | undefined => byTerminal.get(terminalId),
    find(terminalId: string): ConnectedTerminal | null {
      const session = byTerminal.get(terminalId);
      return session?.state.kind === "active" ? { session, active: session.state.active } : null;
    },
    connected: (): ConnectedTerminal[] =>
      [...sessions].flatMap((session) =>
        session.state.kind === "active" ? [{ session, active: session.state.active }] : [],
      ),
    count: (): number => byTerminal.size,
  };
}
