import type { IncomingMessage } from "node:http";
import { API_KEY_PREFIX, SessionToken } from "@comanda/protocol";
import type { Context } from "koa";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { Identity } from "../back-office/session-calls.ts";
import type { Identities } from "../back-office/identities.ts";
import { HubError } from "../platform/errors.ts";
import { bearerOf } from "./external/read-call.ts";

/** A manager who administers this hub, with the token that was shown. */
export interface Manager {
  userId: number;
  userName: string;
  token: string;
}

/** The manager whose back-office session is in `Authorization: Bearer`; null without one. Refuses a dead token and everyone else's. */
export async function readManager(identities: Identities, ctx: Context, trustMs: number): Promise<Manager | null> {
  if (ctx.get("Authorization") === "") return null;
  const token = readToken(ctx.req);
  if (token === null) {
    throw new HubError("UNAUTHENTICATED", "a back-office session is needed: Authorization: Bearer <session id>");
  }
  return confirmManager(identities, token, { peer: ctx.ip, trustMs });
}

/** The session id of a request; null without one. An API key is none. */
export function readToken(request: IncomingMessage): string | null {
  const token = bearerOf(request);
  const isSession = SessionToken.safeParse(token).success && token?.startsWith(API_KEY_PREFIX) === false;
  return isSession ? token : null;
}

/**
 * Refuses with UNAUTHENTICATED or FORBIDDEN; with UPSTREAM_UNAVAILABLE or RATE_LIMITED while nobody can be asked about
 * this token.
 */
export async function confirmManager(
  identities: Identities,
  token: string,
  by: { peer: string; trustMs: number },
): Promise<Manager> {
  const { userId, userName, role } = await identify(identities, token, by);
  if (role !== "manager") throw new HubError("FORBIDDEN", `${userName} is no manager`);
  return { userId, userName, token };
}

/** Whether a refusal leaves it open whose token it is. */
export function isUnsure(error: unknown): boolean {
  return error instanceof HubError && (error.code === "UPSTREAM_UNAVAILABLE" || error.code === "RATE_LIMITED");
}

async function identify(
  identities: Identities,
  token: string,
  by: { peer: string; trustMs: number },
): Promise<Identity> {
  try {
    return await identities.identifyAdmin(token, by);
  } catch (error) {
    if (!(error instanceof BackOfficeError)) throw error;
    if (error.kind === "unreachable") {
      const why = error.reason === "busy" ? error.message : "the back-office cannot be reached to confirm this session";
      throw new HubError("UPSTREAM_UNAVAILABLE", why);
    }
    const why = error.reason === "signed_out" ? "was signed out" : "is dead";
    throw new HubError("UNAUTHENTICATED", `this back-office session ${why}; sign in again`);
  }
}
