import type { ActiveTerminal, TerminalSession } from "./terminal-session.ts";

/** A signed-in terminal and its connection. */
export interface ConnectedTerminal {
  session: TerminalSession;
  active: ActiveTerminal;
}

export type SessionRegistry = ReturnType<typeof createSessionRegistry>;

/** All connections, and the current one of each terminal. */
export function createSessionRegistry() {
  const sessions = new Set<TerminalSession>();
  const byTerminal = new Map<string, TerminalSession>();

  return {
    all: sessions as ReadonlySet<TerminalSession>,
    add: (session: TerminalSession): void => void sessions.add(session),
    /** Makes a connection the current one of a terminal. */
    use: (terminalId: string, session: TerminalSession): void => void byTerminal.set(terminalId, session),
    remove: (session: TerminalSession): void => void sessions.delete(session),
    /** Removes a terminal's current connection. Returns false if the current one is another. */
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
