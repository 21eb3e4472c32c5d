import { logEvent } from "../../platform/log-event.ts";
import { CloseCode } from "@comanda/protocol";
import { serialize } from "../broadcasts/broadcast.ts";
import type { Broadcaster } from "../broadcasts/broadcaster.ts";
import { AuthRefused } from "../sign-in/auth-refused.ts";
import type { TerminalDeps } from "../terminal-deps.ts";
import type { Newcomers } from "./newcomers.ts";
import type { RememberTerminal } from "./remember-terminal.ts";
import type { SessionRegistry } from "./session-registry.ts";
import type { TerminalSession } from "./terminal-session.ts";

export type SessionEndings = ReturnType<typeof createSessionEndings>;

/** Ends terminal sessions and sends them the reason. */
export function createSessionEndings(
  deps: Pick<TerminalDeps, "world" | "leases" | "onTerminal"> & {
    sessions: SessionRegistry;
    newcomers: Newcomers;
    broadcaster: Broadcaster;
    remember: RememberTerminal;
    isStopping: () => boolean;
  },
) {
  const { world, sessions, newcomers, broadcaster, leases, remember, onTerminal, isStopping } = deps;

  /** Refuses a session that was not signed in. `echo` holds the AUTH fields to echo. */
  function refuse(session: TerminalSession, error: unknown, echo: { requestId?: string } = {}): void {
    if (!(error instanceof AuthRefused))
      world.log.error(logEvent("sign_in_failed", { err: error }), "a sign-in failed");
    const refusal =
      error instanceof AuthRefused
        ? error
        : new AuthRefused("INTERNAL_ERROR", CloseCode.backOfficeUnreachable, "the hub failed; see its log");
    newcomers.remove(session);
    const { errorCode, message: sentence, details } = refusal;
    session.answer(serialize({ type: "AUTH_FAILED", ...echo, errorCode, error: sentence, ...details }));
    session.close(refusal.closeCode, sentence);
  }

  /** Ends a signed-in session that may not continue. */
  function dismiss(session: TerminalSession, refusal: AuthRefused): void {
    refuse(session, refusal);
    leave(session);
  }

  /** Removes a session. Called when its connection has closed or is no longer usable. */
  function leave(session: TerminalSession): void {
    sessions.remove(session);
    broadcaster.forget(session);
    newcomers.remove(session);
    if (session.state.kind !== "active") return;
    const { active } = session.state;
    session.state = { kind: "gone" };
    if (!sessions.leave(active.terminalId, session) || isStopping()) return;
    leases.disconnect(active.terminalId);
    remember(session, active);
    onTerminal("left", active);
    broadcaster.leave(active);
    world.log.info(logEvent("terminal_disconnected", { terminalId: active.terminalId }), "terminal disconnected");
  }

  return {
    refuse,
    dismiss,
    leave,
    /** Ends a session that keeps sending although it is being refused. */
    cutOff(session: TerminalSession): void {
      if (session.socket.readyState !== session.socket.OPEN) return;
      session.close(CloseCode.policyViolation, "too many messages");
      session.socket.pause();
    },
    /** Closes a terminal's connection at the operator's request. The terminal reconnects by itself. */
    disconnect(terminalId: string): boolean {
      const session = sessions.sessionOf(terminalId);
      session?.close(CloseCode.goingAway, "disconnected by the operator");
      return session !== undefined;
    },
    /** Ends all connections of a session that was signed out, including those still signing in. */
    endSignedOut(isOfSession: (token: string) => boolean): void {
      for (const session of sessions.all) {
        const token = tokenOf(session);
        if (token !== null && isOfSession(token)) {
          dismiss(
            session,
            new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "this session was signed out"),
          );
        }
      }
    },
    /** Ends the connection of a device that was deleted. A user has to sign in there again. */
    endForgotten(terminalId: string, by: string): void {
      const session = sessions.sessionOf(terminalId);
      const sentence = `${by} made the hub forget this terminal; sign in again`;
      if (session !== undefined) dismiss(session, new AuthRefused("FORBIDDEN", CloseCode.forbidden, sentence));
    },
  };
}

/** Returns the back-office token of a connection, or null before its AUTH and for the empty token (HUB_DEV_AUTH). */
function tokenOf({ state }: TerminalSession): string | null {
  const token = state.kind === "active" ? state.active.token : state.kind === "identifying" ? state.token : "";
  return token === "" ? null : token;
}
