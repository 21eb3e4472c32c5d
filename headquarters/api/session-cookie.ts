import type { Context } from "koa";

const COOKIE = "hq_session";

/** The token of a request's session; empty where it has none. */
export const sessionTokenOf = (ctx: Context): string => ctx.cookies.get(COOKIE) ?? "";

/** Begins a session at the caller's browser, or with null ends it. */
export function setSession(ctx: Context, token: string | null): void {
  addCookie(ctx, token === null ? `${COOKIE}=; Max-Age=0` : `${COOKIE}=${token}`, "Path=/", "SameSite=Strict");
}

/** Adds a cookie that no script gets, and over TLS none that came without. */
export function addCookie(
  ctx: Context,
  value: string,
  path: string,
  sameSite: "SameSite=Strict" | "SameSite=Lax",
): void {
  ctx.append("Set-Cookie", [value, path, "HttpOnly", sameSite, ...(ctx.secure ? ["Secure"] : [])].join("; "));
}
