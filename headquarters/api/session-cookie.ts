import type { Context } from "koa";

const COOKIE = "hq_session";

/** Returns the session token of a request; empty if it has none. */
export const sessionTokenOf = (ctx: Context): string => ctx.cookies.get(COOKIE) ?? "";

/** Sets the session cookie, or clears it if `null`. The cookie is HttpOnly, and Secure over TLS. */
export function setSession(ctx: Context, token: string | null): void {
  ctx.cookies.set(COOKIE, token, { sameSite: "strict" });
}
