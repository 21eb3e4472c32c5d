import type { IncomingMessage } from "node:http";
import { API_KEY_PREFIX, CONFIRMED_WITHIN_MS, DAY_MS, type Role, SessionToken } from "@comanda/protocol";
import type { Context } from "koa";
import { BackOfficeError } from "../../back-office/back-office-error.ts";
import type { Identities } from "../../back-office/identities.ts";
import type { Identity } from "../../back-office/session-calls.ts";
import type { KeyHolder } from "../../keys/key-store.ts";
import { HubError } from "../../platform/errors.ts";
import type { Stores } from "../../stores/create-stores.ts";
import { isPinSession, type PinSessions } from "./pin-sessions.ts";

/** A manager who administers this hub, with the request's token. */
export interface Manager {
  userId: number;
  userName: string;
  permissions: readonly string[];
  token: string;
  /** When a session opened with a PIN ends, in ms since 1970; null for a back-office session. */
  pinUntil: number | null;
}

/** The user signed in at a terminal, with the request's token. */
export interface SessionUser extends Identity {
  token: string;
}

/** How long a token is accepted without asking the back-office again. */
const TRUST_MS = 10_000;

export type Access = ReturnType<typeof createAccess>;

/** Identifies the callers of requests. */
export function createAccess(
  deps: Pick<Stores, "keys" | "terminalStore"> & {
    identities: Identities;
    pinSessions: Pick<PinSessions, "find">;
    /** Whether the back-office is known not to answer. */
    isLineDown(): boolean;
  },
) {
  const { identities, pinSessions, keys, terminalStore, isLineDown } = deps;

  /**
   * Returns the manager of a token. While the back-office is unreachable, accepts one it confirmed within the last 24 h or one
   * who signed in with a PIN. Throws UNAUTHENTICATED or FORBIDDEN; UPSTREAM_UNAVAILABLE or RATE_LIMITED if the token cannot be
   * confirmed now.
   */
  async function confirmManager(token: string, peer: string): Promise<Manager> {
    if (!isPinSession(token)) return requireManager({ ...(await identify(token, peer)), token, pinUntil: null });
    const { person, expiresAt } = pinSessions.find(token);
    return requireManager({ ...person, token, pinUntil: expiresAt });
  }

  function requireManager({ userId, userName, role, permissions, token, pinUntil }: Manager & { role: Role }): Manager {
    if (role !== "manager") throw new HubError("FORBIDDEN", `${userName} is not a manager`);
    if (identities.isTerminals(token)) {
      throw new HubError(
        "FORBIDDEN",
        "this session was opened at a terminal and is valid only there: sign in at the screens",
      );
    }
    return { userId, userName, permissions, token, pinUntil };
  }

  async function identify(token: string, peer: string): Promise<Identity> {
    // Does not wait for a call that is known to fail.
    const trustMs = isLineDown() ? DAY_MS : TRUST_MS;
    const { identity } = await asHubErrors(identities.identify(token, peer, trustMs));
    return identity;
  }

  return {
    /** Returns the manager whose session is in `Authorization: Bearer`; null without that header. */
    async manager(ctx: Context): Promise<Manager | null> {
      if (ctx.get("Authorization") === "") return null;
      return confirmManager(requireToken(ctx.req), ctx.ip);
    },

    /** As `manager`, but the back-office must confirm the session for this request. */
    async managerNow(ctx: Context): Promise<Manager | null> {
      if (ctx.get("Authorization") === "") return null;
      const token = requireToken(ctx.req);
      if (isPinSession(token)) throw needsAccount();
      return requireManager({ ...(await asHubErrors(identities.identifyNow(token, ctx.ip))), token, pinUntil: null });
    },

    /**
     * Throws unless the back-office has confirmed this manager within the last minute: CONFIRMATION_NEEDED for a session opened
     * with a PIN, UPSTREAM_UNAVAILABLE while the back-office is unreachable.
     */
    requireConfirmed({ token, pinUntil }: Manager): void {
      if (pinUntil !== null) throw needsAccount();
      // `identify` has asked the back-office, unless it is known not to answer.
      if (identities.isConfirmed(token, CONFIRMED_WITHIN_MS)) return;
      const message = "this needs your account to be confirmed by the back-office, which cannot be reached";
      throw new HubError("UPSTREAM_UNAVAILABLE", message);
    },

    /**
     * Returns the user whose back-office session is in `Authorization: Bearer`. Throws UNAUTHENTICATED; UPSTREAM_UNAVAILABLE or
     * RATE_LIMITED if the session cannot be confirmed now.
     */
    async user(ctx: Context): Promise<SessionUser> {
      const token = requireToken(ctx.req);
      if (isPinSession(token)) throw needsAccount();
      return { ...(await identify(token, ctx.ip)), token };
    },

    /** Returns the terminal with this device key. Throws UNAUTHENTICATED. */
    device: terminalStore.requireDevice,

    /** Returns the holder of the request's API key. Throws UNAUTHENTICATED. */
    key(request: IncomingMessage): KeyHolder {
      const token = keyTokenOf(request);
      const key = token === null ? null : keys.verify(token);
      if (key === null) throw new HubError("UNAUTHENTICATED", "a valid API key is needed");
      return key;
    },

    /** Whether a token from `peer` still belongs to a manager; `unsure` if that cannot be confirmed now. */
    async recheck(token: string, peer: string): Promise<"manager" | "dead" | "unsure"> {
      try {
        await confirmManager(token, peer);
        return "manager";
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        return isUnconfirmable(error) ? "unsure" : "dead";
      }
    },
  };
}

/** Whether an error only means that a token cannot be confirmed now. */
export function isUnconfirmable(error: unknown): boolean {
  return error instanceof HubError && (error.code === "UPSTREAM_UNAVAILABLE" || error.code === "RATE_LIMITED");
}

function requireToken(request: IncomingMessage): string {
  const token = sessionTokenOf(request);
  if (token !== null) return token;
  throw new HubError("UNAUTHENTICATED", "a back-office session is needed: Authorization: Bearer <session id>");
}

/** Returns the session id of a request, or null if it has none. An API key does not count. */
export function sessionTokenOf(request: IncomingMessage): string | null {
  const token = bearerOf(request);
  if (token === null || token.startsWith(API_KEY_PREFIX)) return null;
  return SessionToken.safeParse(token).success ? token : null;
}

/** Returns the API key of a request, or null. A bearer value without the key prefix is a session token. */
function keyTokenOf(request: IncomingMessage): string | null {
  const header = request.headers["x-api-key"];
  if (typeof header === "string" && header !== "") return header;
  const bearer = bearerOf(request);
  return bearer?.startsWith(API_KEY_PREFIX) === true ? bearer : null;
}

function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}

function needsAccount(): HubError {
  const message = "a session opened with a PIN may not do this: sign in with login and password";
  return new HubError("CONFIRMATION_NEEDED", message);
}

async function asHubErrors<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw error instanceof BackOfficeError ? asHubError(error) : error;
  });
}

function asHubError(error: BackOfficeError): HubError {
  if (error.kind === "unreachable") {
    const message =
      error.reason === "busy" ? error.message : "the back-office cannot be reached to confirm this session";
    return new HubError("UPSTREAM_UNAVAILABLE", message);
  }
  const why = error.reason === "signed_out" ? "was signed out" : "is no longer valid";
  return new HubError("UNAUTHENTICATED", `this back-office session ${why}; sign in again`);
}
