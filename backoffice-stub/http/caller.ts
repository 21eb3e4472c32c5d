import type { QuirkSwitches } from "../control/quirks.ts";
import { Refusal } from "../refusal.ts";
import type { Stores } from "../stores/stores.ts";
import { maxInactivitySeconds } from "../stores/user-sessions.ts";
import type { User } from "../stores/users.ts";
import type { Context } from "./context.ts";

interface CallerDeps {
  stores: Stores;
  quirks: QuirkSwitches;
}

/** Returns the user of `Authorization: Bearer <session id>` or the cookie `session_id`; null without a live session. */
export function callerOf({ stores, quirks }: CallerDeps, ctx: Context): User | null {
  const sessionId = sessionIdOf(ctx);
  const user = sessionId === null ? null : stores.userSessions.findUser(sessionId);
  if (sessionId !== null && user !== null && quirks.get().rotateSession !== "off") {
    setSessionCookie(ctx, stores.userSessions.open(user));
    if (quirks.get().rotateSession === "hard") stores.userSessions.end(sessionId);
  }
  return user;
}

export function requireCaller(deps: CallerDeps, ctx: Context): User {
  const user = callerOf(deps, ctx);
  if (user === null) throw new Refusal("UNAUTHENTICATED", "a live session is needed");
  return user;
}

export function sessionIdOf(ctx: Context): string | null {
  const bearer = /^Bearer +(\S+) *$/i.exec(ctx.get("Authorization"))?.[1];
  return bearer ?? ctx.cookies.get("session_id") ?? null;
}

/** Sets the session cookie like Odoo. */
export function setSessionCookie(ctx: Context, sessionId: string): void {
  ctx.append("Set-Cookie", `session_id=${sessionId}; Max-Age=${maxInactivitySeconds}; HttpOnly; Path=/; SameSite=Lax`);
}
