import type { IncomingMessage } from "node:http";
import { sentence, SessionToken } from "@comanda/protocol";
import { createHttpClient, readBody, UnusableRequest } from "../platform/http-client.ts";
import { createLane, LaneBusy } from "../platform/lane.ts";
import type { World } from "../platform/world.ts";
import { BackOfficeError, type BackOfficeFailureReason, isUnsent } from "./back-office-error.ts";
import { readAnswer } from "./read-answer.ts";

/** The result of a call, and the session id to use from now on, since the back-office may rotate it. */
export interface Answer<T> {
  value: T;
  token: string;
}

/** The origin of a call that is not made for the hub itself. */
export interface Caller {
  lane: keyof typeof LANES;
  /** The client's network address. */
  peer: string;
  /** Runs just before the call is sent. If it throws, the call is not sent. */
  onTurn?: () => void;
}

/** A request to the back-office. A Buffer as `body` contains serialized JSON. */
export interface Call {
  path: string;
  body: object;
  token: string | null;
  rpcId?: string;
  timeoutMs?: number | undefined;
  /** Uses a keep-alive connection, which only calls of the hub's own session share. */
  isReused?: boolean;
  /** The content may cause a failure (paid orders, user input), so a failure does not mean that the back-office is down. */
  isSuspect?: boolean;
  /** The caller in whose lane the call waits; null for the hub's own calls, which do not wait. */
  caller?: Caller | null;
}

/** Converts a parsed answer to a value. `drop` closes the connection if only a part of the answer belongs to the call. */
export type ReadValue<T> = (value: unknown, drop: () => void) => T;

export type Post = <T>(call: Call, read: ReadValue<T>) => Promise<Answer<T>>;

/**
 * Limits of users' calls, which wait in lanes: one for known users, one for unknown sessions and one for sign-ins with a
 * password. Unknown sessions get fewer connections, because anyone on the network can invent them.
 */
const LANES = {
  known: { concurrency: 16, perPeer: 16, waiting: 1_000 },
  strangers: { concurrency: 12, perPeer: 8, waiting: 512 },
  signIn: { concurrency: 6, perPeer: 4, waiting: 64 },
};

const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const BODY_LIMIT = 32 * 1024 * 1024;

/** Sends calls to the back-office and reports whether it answered. */
export function createTransport(options: {
  world: World;
  url: string;
  /**
   * Called after each call with whether the back-office answered, and why not. Not called if the content of the call may
   * be the reason.
   */
  onContact: (reached: boolean, reason?: BackOfficeFailureReason) => void;
  /** Called with the server time (ms since 1970) in the header of a valid answer. */
  onServerTime?: ((at: number) => void) | undefined;
}) {
  const { world, url, onContact, onServerTime } = options;
  const connectTimeoutMs = CONNECT_TIMEOUT_MS;
  const reused = createHttpClient({ connections: 4, connectTimeoutMs });
  // Identities and single orders never reuse a connection: a late answer to an earlier call could arrive on it.
  const single = createHttpClient({ connections: 16, connectTimeoutMs, keepAlive: false });
  // Its connections are limited by the lanes.
  const userClient = createHttpClient({ connectTimeoutMs, keepAlive: false });
  const lanes = {
    known: createLane(world, LANES.known),
    strangers: createLane(world, LANES.strangers),
    signIn: createLane(world, LANES.signIn),
  };
  let isStopped = false;

  /** Sends a call. If `read` throws, the answer's session id is ignored; for `unreachable` the connection is closed. */
  async function post<T>(call: Call, read: ReadValue<T>): Promise<Answer<T>> {
    const { caller = null } = call;
    if (caller === null) return sendAndReport(call, read);
    try {
      return await lanes[caller.lane].run(caller.peer, () => {
        caller.onTurn?.();
        return sendAndReport(call, read);
      });
    } catch (error) {
      if (!(error instanceof LaneBusy)) throw error;
      throw new BackOfficeError("unreachable", sentence("back_office_busy"), {
        reason: "busy",
      });
    }
  }

  /** Sends a call and reports whether the back-office answered. Errors of the hub itself are not reported. */
  async function sendAndReport<T>(call: Call, read: ReadValue<T>): Promise<Answer<T>> {
    let answer: Answer<T>;
    try {
      answer = await send(call, read);
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      const { kind, reason, message } = error;
      const isReached = kind !== "unreachable";
      const isMeaningful = isReached || call.isSuspect !== true || isUnsent(reason);
      if (isMeaningful && !isStopped) onContact(isReached, reason);
      world.log.debug({ path: call.path, kind, reason: message }, "back-office call failed");
      throw error;
    }
    onContact(true);
    return answer;
  }

  async function send<T>(call: Call, read: ReadValue<T>): Promise<Answer<T>> {
    const { path, body, token, rpcId, timeoutMs = TIMEOUT_MS, caller = null } = call;
    const http = caller !== null ? userClient : call.isReused === true ? reused : single;
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      ...(token !== null && { cookie: `session_id=${token}` }),
    };
    const content = Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const signal = world.timers.timeoutSignal(timeoutMs);
    const answer = await http
      .post(new URL(`${url}${path}`), { headers, body: content, signal })
      .catch((error: unknown) => {
        throw error instanceof UnusableRequest ? error : withoutAnswer(error);
      });
    // Read now, because the answer loses its socket when it has been read.
    const { socket } = answer;
    const drop = (): void => void socket.destroy();
    const text = await readText(answer, signal);
    try {
      const { statusCode = 0, headers: answered } = answer;
      const value = read(readAnswer(statusCode, answered["content-type"] ?? "", text, rpcId), drop);
      const serverTime = Date.parse(answered.date ?? "");
      if (!Number.isNaN(serverTime)) onServerTime?.(serverTime);
      return { value, token: sessionCookie(answered["set-cookie"]) ?? token ?? "" };
    } catch (error) {
      if (error instanceof BackOfficeError && error.kind === "unreachable") drop();
      throw error;
    }
  }

  return {
    post,
    stop(): void {
      isStopped = true;
      reused.stop();
      single.stop();
      userClient.stop();
    },
  };
}

async function readText(body: IncomingMessage, signal: AbortSignal): Promise<string> {
  const { bytes, end } = await readBody(body, BODY_LIMIT);
  if (end === "too large") throw new BackOfficeError("unreachable", sentence("back_office_answer_too_large"));
  if (end === "broken off") {
    if (signal.aborted) throw withoutAnswer(signal.reason);
    throw new BackOfficeError("unreachable", sentence("back_office_broke_off"));
  }
  return bytes.toString("utf8");
}

/** Returns the last valid session id among the cookies; null if there is none. */
function sessionCookie(cookies: readonly string[] = []): string | null {
  const values = cookies.map((cookie) => /^session_id=([^;]+)/.exec(cookie.trim())?.[1]?.trim());
  return values.findLast((value) => SessionToken.safeParse(value).success) ?? null;
}

/** Node's error codes for connections that could not be opened. */
const NO_CONNECTION = new Set(["ECONNREFUSED", "EADDRNOTAVAIL", "EHOSTDOWN", "EHOSTUNREACH", "ETIMEDOUT"]);
/** Node's error codes for a computer without network. Windows reports ENOTFOUND if DNS is unavailable. */
const NO_NETWORK = new Set(["EAI_AGAIN", "ENETDOWN", "ENETUNREACH", "ENOTFOUND"]);

function withoutAnswer(error: unknown): BackOfficeError {
  if (!(error instanceof Error)) return new BackOfficeError("unreachable", String(error));
  if (error.name === "TimeoutError") {
    return new BackOfficeError("unreachable", sentence("back_office_no_answer_in_time"), { reason: "timeout" });
  }
  const code = "code" in error ? String(error.code) : "";
  if (code === "") return new BackOfficeError("unreachable", error.message);
  const reason = NO_NETWORK.has(code) ? "no_network" : NO_CONNECTION.has(code) ? "no_connection" : undefined;
  return new BackOfficeError("unreachable", sentence("back_office_no_connection", { code }), { reason });
}
