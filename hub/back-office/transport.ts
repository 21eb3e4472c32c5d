import type { IncomingMessage } from "node:http";
import { said, SessionToken } from "@comanda/protocol";
import { createHttpClient, readBody, UnusableRequest } from "../platform/http-client.ts";
import { createLane, LaneBusy } from "../platform/lane.ts";
import type { World } from "../platform/world.ts";
import { BackOfficeError, type BackOfficeFailureReason, isUnsent } from "./back-office-error.ts";
import { readAnswer } from "./read-answer.ts";

/** What a call brought, and the session id to use from now on: the back-office rotates it at will. */
export interface Answer<T> {
  value: T;
  token: string;
}

/** Who a call is made for, when it is not the hub itself. */
export interface Caller {
  lane: keyof typeof LANES;
  /** The address that it comes from. */
  peer: string;
  /** Runs just before the call is sent; when it throws, the call is not sent. */
  onTurn?: () => void;
}

/** A request to the back-office; a body of bytes is JSON already. */
export interface Call {
  path: string;
  body: object;
  token: string | null;
  rpcId?: string;
  timeoutMs?: number | undefined;
  /** Uses a kept connection, which only calls of the hub's own session share. */
  isKept?: boolean;
  /** The content itself may be why it fails (paid orders, a stranger's text), so a failure says nothing about the line. */
  isSuspect?: boolean;
  /** Waits for a place in its lane; null for the hub's own calls, which do not wait. */
  caller?: Caller | null;
}

/** Turns a parsed answer into a value; `drop` closes the connection of an answer that only partly belongs to the call. */
export type ReadValue<T> = (value: unknown, drop: () => void) => T;

export type Post = <T>(call: Call, read: ReadValue<T>) => Promise<Answer<T>>;

/**
 * People's calls wait in lanes: one for users the hub knows, one for unknown sessions and one for sign-ins with a
 * password. Unknown ones get few connections, because anybody on the network can make up sessions.
 */
const LANES = {
  known: { atOnce: 16, perPeer: 16, waiting: 1_000 },
  strangers: { atOnce: 12, perPeer: 8, waiting: 512 },
  signIn: { atOnce: 6, perPeer: 4, waiting: 64 },
};

const TIMEOUT_MS = 15_000;
const CONNECT_TIMEOUT_MS = 5_000;
const BODY_LIMIT = 32 * 1024 * 1024;

/** Sends calls to the back-office and reports whether it answered. */
export function createTransport(options: {
  world: World;
  url: string;
  /**
   * Called after each call with whether the back-office answered, and why not; not when the call's content may be why it
   * did not.
   */
  onContact: (reached: boolean, reason?: BackOfficeFailureReason) => void;
  /** Called with the time (ms since 1970) that a good answer carries. */
  onServerTime?: ((at: number) => void) | undefined;
}) {
  const { world, url, onContact, onServerTime } = options;
  const connectTimeoutMs = CONNECT_TIMEOUT_MS;
  const kept = createHttpClient({ connections: 4, connectTimeoutMs });
  // Identities and single orders never share a connection: a late answer to an earlier call could arrive on it.
  const single = createHttpClient({ connections: 16, connectTimeoutMs, keepAlive: false });
  // The lanes limit its connections.
  const peoples = createHttpClient({ connectTimeoutMs, keepAlive: false });
  const lanes = {
    known: createLane(world, LANES.known),
    strangers: createLane(world, LANES.strangers),
    signIn: createLane(world, LANES.signIn),
  };
  let isStopped = false;

  /** When `read` throws, the answer's session is not adopted; when it throws `unreachable`, the connection is closed. */
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
      throw new BackOfficeError("unreachable", said("back_office_busy"), {
        reason: "busy",
      });
    }
  }

  /** Reports whether the back-office was reached; an error of the hub itself says nothing about that. */
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
    const http = caller !== null ? peoples : call.isKept === true ? kept : single;
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
    // Once the answer has been read it no longer knows its connection.
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
      kept.stop();
      single.stop();
      peoples.stop();
    },
  };
}

async function readText(body: IncomingMessage, signal: AbortSignal): Promise<string> {
  const { bytes, end } = await readBody(body, BODY_LIMIT);
  if (end === "too large") throw new BackOfficeError("unreachable", said("back_office_answer_too_large"));
  if (end === "broken off") {
    if (signal.aborted) throw withoutAnswer(signal.reason);
    throw new BackOfficeError("unreachable", said("back_office_broke_off"));
  }
  return bytes.toString("utf8");
}

/** The newest session among the cookies; one that could not be sent back does not count. */
function sessionCookie(cookies: readonly string[] = []): string | null {
  const values = cookies.map((cookie) => /^session_id=([^;]+)/.exec(cookie.trim())?.[1]?.trim());
  return values.findLast((value) => SessionToken.safeParse(value).success) ?? null;
}

/** Node's error codes of a connection on which nothing was sent. */
const NO_CONNECTION = new Set(["ECONNREFUSED", "EADDRNOTAVAIL", "EHOSTDOWN", "EHOSTUNREACH", "ETIMEDOUT"]);
/** Those of a computer without a way out. ENOTFOUND: Windows says so without a name service too. */
const NO_NETWORK = new Set(["EAI_AGAIN", "ENETDOWN", "ENETUNREACH", "ENOTFOUND"]);

function withoutAnswer(error: unknown): BackOfficeError {
  if (!(error instanceof Error)) return new BackOfficeError("unreachable", String(error));
  if (error.name === "TimeoutError") {
    return new BackOfficeError("unreachable", said("back_office_no_answer_in_time"), { reason: "timeout" });
  }
  const code = "code" in error ? String(error.code) : "";
  if (code === "") return new BackOfficeError("unreachable", error.message);
  const reason = NO_NETWORK.has(code) ? "no_network" : NO_CONNECTION.has(code) ? "no_connection" : undefined;
  return new BackOfficeError("unreachable", said("back_office_no_connection", { code }), { reason });
}
