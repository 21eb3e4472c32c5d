import type { IncomingMessage } from "node:http";
import { API_KEY_PREFIX, DAY_MS, SessionToken } from "@comanda/protocol";
import type { Context } from "koa";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { Identities } from "../back-office/identities.ts";
import type { Identity } from "../back-office/session-calls.ts";
import type { KeyHolder, KeyStore } from "../keys/key-store.ts";
import { HubError } from "../platform/errors.ts";
import type { TerminalStore } from "../terminals/terminal-store.ts";

/** A manager who administers this hub, with the token that the request carried. */
export interface Manager {
  userId: number;
  userName: string;
  permissions: readonly string[];
  token: string;
}

/** Who has signed in at a terminal, with the token that the request carried. */
export interface SessionUser extends Identity {
  token: string;
}

/** How long a token is accepted without asking the back-office about it. */
const TRUST_MS = 10_000;

export type Access = ReturnType<typeof createAccess>;

/** Who is behind a request. */
export function createAccess(deps: {
  identities: Identities;
  keys: Pick<KeyStore, "verify">;
  terminalStore: Pick<TerminalStore, "deviceOf">;
  /** The back-office is known not to answer. */
  isLineDown(): boolean;
}) {
  const { identities, keys, terminalStore, isLineDown } = deps;

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
      return confirmManager(requireToken(ctx.req), ctx.ip, now);
    },

    /**
     * The user whose back-office session is in `Authorization: Bearer`, believed as long as at a terminal's connection.
     * Refuses with UNAUTHENTICATED; with UPSTREAM_UNAVAILABLE or RATE_LIMITED while the session cannot be confirmed.
     */
    async user(ctx: Context): Promise<SessionUser> {
      const token = requireToken(ctx.req);
      try {
        // Nobody should wait for a call that is known to fail.
        const trustMs = isLineDown() ? DAY_MS : TRUST_MS;
        const { identity } = await identities.identifyTerminal(token, ctx.ip, trustMs);
        return { ...identity, token };
      } catch (error) {
        throw error instanceof BackOfficeError ? asHubError(error) : error;
      }
    },

    /** The terminal that a device's key belongs to. Refuses with UNAUTHENTICATED. */
    device(key: string): string {
      const terminalId = terminalStore.deviceOf(key);
      if (terminalId === null)
        throw new HubError("UNAUTHENTICATED", "deviceKey: this hub knows no device with this key");
      return terminalId;
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

function requireToken(request: IncomingMessage): string {
  const token = sessionTokenOf(request);
  if (token !== null) return token;
  throw new HubError("UNAUTHENTICATED", "a back-office session is needed: Authorization: Bearer <session id>");
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
