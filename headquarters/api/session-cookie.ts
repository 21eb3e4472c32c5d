import type { Context } from "koa";

const COOKIE = "hq_session";

/** The token of a request's session; empty where it has none. */
export const sessionTokenOf = (ctx: Context): string => ctx.cookies.get(COOKIE) ?? "";

/** Begins a session at the caller's browser, or with null ends it. No script gets it, and over TLS none that came without. */
export function setSession(ctx: Context, token: string | null): void {
  ctx.cookies.set(COOKIE, token, { sameSite: "strict" });
}
