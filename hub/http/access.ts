import type { IncomingMessage } from "node:http";
import { API_KEY_PREFIX, SessionToken } from "@comanda/protocol";
import type { Context } from "koa";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { Identities } from "../back-office/identities.ts";
import type { KeyHolder, KeyStore } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";

/** A manager who administers this hub, with the token that the request carried. */
export interface Manager {
  userId: number;
  userName: string;
  permissions: readonly string[];
  token: string;
}

/** How long a manager's token is accepted without asking the back-office about it. */
const TRUST_MS = 10_000;

export type Access = ReturnType<typeof createAccess>;

/** Who is behind a request. */
export function createAccess({ identities, keys }: { identities: Identities; keys: Pick<KeyStore, "verify"> }) {
  /**
   * Refuses with UNAUTHENTICATED or FORBIDDEN; with UPSTREAM_UNAVAILABLE or RATE_LIMITED while the token cannot be
   * confirmed. `now` accepts only what the back-office confirms for this request.
   */
  async function confirmManager(token: string, peer: string, now = false): Promise<Manager> {
    try {
      const trust = now ? { offlineMs: -1 } : { trustMs: TRUST_MS };
      const { userId, userName, role, permissions } = await identities.identifyAdmin(token, { peer, ...trust });
      if (role !== "manager") throw new HubError("FORBIDDEN", `${userName} is not a manager`);
      return { userId, userName, permissions, token };
    } catch (error) {
      throw error instanceof BackOfficeError ? asHubError(error) : error;
    }
  }

  return {
    /** The manager whose back-office session is in `Authorization: Bearer`; null without that header. */
    async manager(ctx: Context, now = false): Promise<Manager | null> {
      if (ctx.get("Authorization") === "") return null;
      const token = sessionTokenOf(ctx.req);
      if (token === null) {
        throw new HubError("UNAUTHENTICATED", "a back-office session is needed: Authorization: Bearer <session id>");
      }
      return confirmManager(token, ctx.ip, now);
    },

    /** The holder of the request's API key. Refuses with UNAUTHENTICATED. */
    key(request: IncomingMessage): KeyHolder {
      const token = keyTokenOf(request);
      const key = token === null ? null : keys.verify(token);
      if (key === null) throw new HubError("UNAUTHENTICATED", "a valid API key is needed");
      return key;
    },

    /** Whether a token, shown by `peer`, still belongs to a manager; `unsure` while that cannot be confirmed. */
    async judge(token: string, peer: string): Promise<"manager" | "dead" | "unsure"> {
      try {
        await confirmManager(token, peer);
        return "manager";
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        return isUnsure(error) ? "unsure" : "dead";
      }
    },
  };
}

/** Whether a refusal says only that a token cannot be confirmed now. */
export function isUnsure(error: unknown): boolean {
  return error instanceof HubError && (error.code === "UPSTREAM_UNAVAILABLE" || error.code === "RATE_LIMITED");
}

/** The session id of a request; null without one. An API key is none. */
export function sessionTokenOf(request: IncomingMessage): string | null {
  const token = bearerOf(request);
  const isSession = SessionToken.safeParse(token).success && token?.startsWith(API_KEY_PREFIX) === false;
  return isSession ? token : null;
}

/** The API key of a request; a bearer value without the key prefix is a session token. */
function keyTokenOf(request: IncomingMessage): string | null {
  const header = request.headers["x-api-key"];
  if (typeof header === "string" && header !== "") return header;
  const bearer = bearerOf(request);
  return bearer?.startsWith(API_KEY_PREFIX) === true ? bearer : null;
}

function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}

function asHubError(error: BackOfficeError): HubError {
  if (error.kind === "unreachable") {
    const why = error.reason === "busy" ? error.message : "the back-office cannot be reached to confirm this session";
    return new HubError("UPSTREAM_UNAVAILABLE", why);
  }
  const why = error.reason === "signed_out" ? "was signed out" : "is dead";
  return new HubError("UNAUTHENTICATED", `this back-office session ${why}; sign in again`);
}
