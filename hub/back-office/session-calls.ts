import { sentence, plainName, posManagerGroup, SessionInfo, type PosIdentity, type Role } from "@comanda/protocol";
import type { World } from "../platform/world.ts";
import { BackOfficeError, isServerFault, mismatchError } from "./back-office-error.ts";
import { parse, RPC_ID } from "./read-answer.ts";
import type { Answer, Call, Caller, Post } from "./transport.ts";

/** The user of a back-office session. */
export interface Identity {
  userId: number;
  userName: string;
  role: Role;
  permissions: string[];
  /** The login name; null if unknown. */
  login: string | null;
}

/** Creates Odoo's session calls, all of them JSON-RPC. */
export function sessionCalls({ world, db, post }: { world: World; db: string; post: Post }) {
  function rpc(path: string, params: object, token: string | null): Call {
    const rpcId = RPC_ID + world.random.uuid();
    return { path, body: { jsonrpc: "2.0", method: "call", id: rpcId, params }, token, rpcId };
  }

  async function identityOf(info: SessionInfo, token: string, by: Caller | null): Promise<Answer<Identity>> {
    const { uid } = info;
    if (uid === null || uid === false) throw new BackOfficeError("session_dead", "nobody is signed in");
    const pos = info.pos ? { value: info.pos, token } : await roleOf(info, uid, token, by);
    // Always a valid name, because it is written on every order of the user and must not make it unreadable.
    const userName = plainName(info.name || "") || plainName(info.username || "") || `user ${uid}`;
    return { value: { userId: uid, userName, ...pos.value, login: info.username || null }, token: pos.token };
  }

  /** Asks for the manager group, since a plain Odoo sends no role. The arguments depend on the Odoo version. */
  async function roleOf(
    info: SessionInfo,
    uid: number,
    token: string,
    by: Caller | null,
  ): Promise<Answer<PosIdentity>> {
    const major = Number(info.server_version_info?.[0] ?? info.server_version?.split(".")[0] ?? 18);
    const args = major >= 18 ? [[uid], posManagerGroup] : [posManagerGroup];
    const params = { model: "res.users", method: "has_group", args, kwargs: {} };
    // The session is valid, so the call no longer uses the lane for strangers.
    const caller = by && ({ lane: "known", peer: by.peer } as const);
    return post({ ...rpc("/web/dataset/call_kw/res.users/has_group", params, token), caller }, (value) => ({
      role: value === true ? "manager" : "waiter",
      permissions: [],
    }));
  }

  return {
    /** Opens a session. Throws `login_refused` for a refused login or a required second factor. */
    async authenticate(login: string, password: string, caller: Caller | null = null): Promise<Answer<Identity>> {
      const call = rpc("/web/session/authenticate", { db, login, password }, null);
      const signIn = post({ ...call, caller, isSuspect: caller !== null }, (value) => {
        const info = parse(SessionInfo, value);
        if (info.uid === null || info.uid === false) {
          throw new BackOfficeError("login_refused", sentence("back_office_second_factor"), {
            reason: "second_factor",
          });
        }
        if (info.username && !isSameLogin(info.username, login)) throw mismatchError();
        return info;
      });
      const { value: info, token } = await signIn.catch((error: unknown) => {
        throw error instanceof BackOfficeError ? signInFailure(error) : error;
      });
      if (token === "") throw new BackOfficeError("unreachable", sentence("back_office_no_session"));
      return identityOf(info, token, caller);
    },

    async sessionInfo(
      token: string,
      { caller = null, timeoutMs }: { caller?: Caller | null; timeoutMs?: number } = {},
    ): Promise<Answer<Identity>> {
      const call = rpc("/web/session/get_session_info", {}, token);
      const isSuspect = caller?.lane === "strangers";
      const asking = post({ ...call, caller, isSuspect, timeoutMs }, (value) => parse(SessionInfo, value));
      const answer = await asking.catch((error: unknown) => {
        throw error instanceof BackOfficeError && isServerFault(error) ? asUnreachable(error) : error;
      });
      return identityOf(answer.value, answer.token, caller);
    },

    async destroySession(token: string, { caller, timeoutMs }: { caller: Caller; timeoutMs: number }): Promise<void> {
      await post({ ...rpc("/web/session/destroy", {}, token), caller, timeoutMs }, () => null);
    },
  };
}

/** Converts a server error to `unreachable`, since it says nothing about the session. */
function asUnreachable({ said: explanation, errorCode, status }: BackOfficeError): BackOfficeError {
  return new BackOfficeError("unreachable", explanation, { errorCode, status });
}

function isSameLogin(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** Converts the failure of a sign-in. `session_dead` becomes `login_refused`, since there is no session yet. */
function signInFailure(error: BackOfficeError): BackOfficeError {
  const { kind, said: explanation, errorCode, status } = error;
  if (kind === "session_dead") {
    const refusal = status === undefined ? explanation : sentence("back_office_status", { status });
    return new BackOfficeError("login_refused", refusal, { status });
  }
  return isUnknownDatabase(errorCode)
    ? new BackOfficeError("refused", explanation, { errorCode, status, reason: "unknown_database" })
    : error;
}

/** Whether Odoo refused the sign-in because the database does not exist. A refused login has another exception. */
function isUnknownDatabase(errorCode = ""): boolean {
  return /\.(AccessError|OperationalError)$/.test(errorCode);
}
