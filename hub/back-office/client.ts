import type { IncomingMessage } from "node:http";
import {
  BackOfficeFailure,
  BatchSyncAnswer,
  BatchSyncResult,
  BootstrapAnswer,
  JsonRpcAnswer,
  LookupAnswer,
  posManagerGroup,
  SessionInfo,
  SessionToken,
  type JsonRpcError,
  type LookupOrder,
  type PosIdentity,
  type Role,
} from "@comanda/protocol";
import type { z } from "zod";
import { appendJsonField } from "../platform/append-json-field.ts";
import { createHttpClient, readBody, UnusableRequest } from "../platform/http-client.ts";
import type { World } from "../platform/world.ts";
import { createLane, LaneBusy } from "../platform/lane.ts";

/** Who a back-office session belongs to. */
export interface Identity {
  userId: number;
  userName: string;
  role: Role;
  permissions: string[];
}

/**
 * Why a call did not bring what was asked: nobody (sensible) answered; the session is dead; the login was refused; or
 * the back-office understood and said no.
 */
export type BackOfficeFailureKind = "unreachable" | "session_dead" | "login_refused" | "refused";

/**
 * What more is known of a failure: there was no connection, so nothing was sent; no answer came in time; the answer
 * belongs to another request; too many wait already, so nothing was sent; the session was signed out at this hub.
 */
type BackOfficeFailureReason = "no_connection" | "timeout" | "mismatched" | "busy" | "signed_out";

interface FailureDetails {
  errorCode?: string | undefined;
  status?: number | undefined;
  reason?: BackOfficeFailureReason | undefined;
}

export class BackOfficeError extends Error {
  override readonly name = "BackOfficeError";
  readonly kind: BackOfficeFailureKind;
  readonly errorCode: string | undefined;
  /** The HTTP status of the answer, of a proxy perhaps; undefined when there was no answer. */
  readonly status: number | undefined;
  readonly reason: BackOfficeFailureReason | undefined;

  constructor(kind: BackOfficeFailureKind, message: string, { errorCode, status, reason }: FailureDetails = {}) {
    super(message);
    this.kind = kind;
    this.errorCode = errorCode;
    this.status = status;
    this.reason = reason;
  }
}

/** A session id as it stands after a call: the back-office rotates it at will. */
export interface Answer<T> {
  value: T;
  token: string;
}

export interface ForwardEvent {
  eventId: number;
  type: string;
  posReference: string;
  createdAt: string;
  /** The order, serialized. */
  orderJson: string;
}

/** The first events of a list as they are sent, and how many of them there are. */
export interface BatchBody {
  body: Buffer;
  count: number;
}

/** Who a call is made for, when it is not the hub itself. */
export interface Caller {
  lane: "known" | "strangers" | "signIn";
  /** The address that it comes from. */
  peer: string;
  /** Called when its turn has come: what it throws keeps the call from being made. */
  onTurn?: () => void;
}

/** A request to the back-office; a body of bytes is JSON already. */
interface Call {
  path: string;
  body: object;
  token: string | null;
  /** The id of a JSON-RPC call. */
  rpcId?: string;
  timeoutMs?: number;
  /** Goes over a kept connection, which only calls of the hub's own session share. */
  isKept?: boolean;
  /** Carries what may be why it fails, such as paid orders or what a stranger wrote: then the line is fine. */
  isSuspect?: boolean;
  /** Waits its turn among calls of the same kind; null for the hub's own, which wait for nobody. */
  caller?: Caller | null;
}

export type BackOfficeClient = ReturnType<typeof createBackOfficeClient>;

/**
 * People's calls wait among their like: those of people the hub knows, of strangers' sessions, and sign-ins with a
 * password. Strangers get few connections, because anybody on the network can ask about made-up sessions.
 */
const LANES = {
  known: { atOnce: 16, perPeer: 16, waiting: 1_000 },
  strangers: { atOnce: 12, perPeer: 8, waiting: 512 },
  signIn: { atOnce: 6, perPeer: 4, waiting: 64 },
};

/** No call to the back-office may keep anybody waiting longer. */
const TIMEOUT_MS = 15_000;
const BODY_LIMIT = 32 * 1024 * 1024;
/** Half of what proxies commonly take; a single order may be larger. */
const BATCH_BYTES = 512 * 1024;

/** The only caller of the back-office. Knows Odoo's wrinkles: failures as HTTP 200, envelopes, rotation, HTML pages. */
export function createBackOfficeClient(options: {
  world: World;
  url: string;
  db: string;
  /** Called after each call with whether the back-office answered; not when the orders in the call may be why it did not. */
  onContact: (reached: boolean) => void;
  /** Told the time (ms since 1970) that a good answer carries. */
  onServerTime?: (at: number) => void;
}) {
  const { world, url, db, onContact, onServerTime } = options;
  const connectTimeoutMs = 5_000;
  const kept = createHttpClient({ connections: 4, connectTimeoutMs });
  // An older answer may still arrive on a connection that is used again: identities and single orders must not read it.
  const single = createHttpClient({ connections: 16, connectTimeoutMs, keepAlive: false });
  // Their lanes bound its connections.
  const peoples = createHttpClient({ connectTimeoutMs, keepAlive: false });
  const lanes = {
    known: createLane(world, LANES.known),
    strangers: createLane(world, LANES.strangers),
    signIn: createLane(world, LANES.signIn),
  };
  let isStopped = false;

  /**
   * Posts and reads the answer. When `read` throws because the answer belongs to another request, its session is not
   * adopted and its connection is closed; `drop` closes the connection of an answer that is only partly ours.
   */
  async function post<T>(call: Call, read: (value: unknown, drop: () => void) => T): Promise<Answer<T>> {
    const { caller = null } = call;
    if (caller === null) return judged(call, read);
    try {
      return await lanes[caller.lane].run(caller.peer, () => {
        caller.onTurn?.();
        return judged(call, read);
      });
    } catch (error) {
      if (!(error instanceof LaneBusy)) throw error;
      throw new BackOfficeError("unreachable", "too many people are waiting for the back-office; try again", {
        reason: "busy",
      });
    }
  }

  /** Sends a call and notes what it tells of the line: a fault of our own tells nothing. */
  async function judged<T>(call: Call, read: (value: unknown, drop: () => void) => T): Promise<Answer<T>> {
    let answer: Answer<T>;
    try {
      answer = await exchange(call, read);
    } catch (error) {
      if (!(error instanceof BackOfficeError)) throw error;
      const { kind, reason, message } = error;
      const isReached = kind !== "unreachable";
      const tells = isReached || call.isSuspect !== true || reason === "no_connection";
      if (tells && !isStopped) onContact(isReached);
      world.log.debug({ path: call.path, kind, reason: message }, "back-office call failed");
      throw error;
    }
    onContact(true);
    return answer;
  }

  async function exchange<T>(call: Call, read: (value: unknown, drop: () => void) => T): Promise<Answer<T>> {
    const { path, body, token, rpcId, timeoutMs = TIMEOUT_MS, caller = null } = call;
    const http = caller !== null ? peoples : call.isKept === true ? kept : single;
    const target = new URL(`${url}${path}`);
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      ...(token !== null && { cookie: `session_id=${token}` }),
    };
    const content = Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await http.post(target, { headers, body: content, signal }).catch((error: unknown) => {
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

  /** A JSON-RPC call, with an id by which its answer is known. */
  function rpc(path: string, params: object, token: string | null): Call & { rpcId: string } {
    const rpcId = RPC_ID + world.random.uuid();
    return { path, body: { jsonrpc: "2.0", method: "call", id: rpcId, params }, token, rpcId };
  }

  async function identityOf(info: SessionInfo, token: string, by: Caller | null): Promise<Answer<Identity>> {
    const { uid } = info;
    if (uid === null || uid === false) throw new BackOfficeError("session_dead", "nobody is signed in");
    const pos = info.pos === undefined ? await roleOf(info, uid, token, by) : { value: info.pos, token };
    const userName = info.name || info.username || `user ${uid}`;
    return { value: { userId: uid, userName, ...pos.value }, token: pos.token };
  }

  /** A plain Odoo tells no role; its manager group is asked for in the form of its version. */
  async function roleOf(
    info: SessionInfo,
    uid: number,
    token: string,
    by: Caller | null,
  ): Promise<Answer<PosIdentity>> {
    const major = Number(info.server_version_info?.[0] ?? info.server_version?.split(".")[0] ?? 18);
    const args = major >= 18 ? [[uid], posManagerGroup] : [posManagerGroup];
    const params = { model: "res.users", method: "has_group", args, kwargs: {} };
    // A live session is no stranger's any more.
    const caller = by && ({ lane: "known", peer: by.peer } as const);
    return post({ ...rpc("/web/dataset/call_kw/res.users/has_group", params, token), caller }, (value) => ({
      role: value === true ? "manager" : "waiter",
      permissions: [],
    }));
  }

  return {
    /** Opens a session; refused logins and a demanded second factor are `login_refused`. */
    async authenticate(login: string, password: string, caller: Caller | null = null): Promise<Answer<Identity>> {
      const call = rpc("/web/session/authenticate", { db, login, password }, null);
      const answer = await post({ ...call, caller, isSuspect: caller !== null }, (value) => {
        const info = parse(SessionInfo, value);
        if (info.uid === null || info.uid === false) {
          throw new BackOfficeError("login_refused", "the back-office asks this user for a second factor");
        }
        if (info.username && !isSameLogin(info.username, login)) throw mismatched();
        return info;
      });
      if (answer.token === "") throw new BackOfficeError("unreachable", "the back-office gave no session");
      return identityOf(answer.value, answer.token, caller);
    },
    /** Tells whose a session is. */
    async sessionInfo(
      token: string,
      { caller = null, timeoutMs = TIMEOUT_MS }: { caller?: Caller | null; timeoutMs?: number } = {},
    ): Promise<Answer<Identity>> {
      const call = rpc("/web/session/get_session_info", {}, token);
      const isSuspect = caller?.lane === "strangers";
      const answer = await post({ ...call, caller, timeoutMs, isSuspect }, (value) => parse(SessionInfo, value));
      return identityOf(answer.value, answer.token, caller);
    },
    /** Ends a session. */
    async destroySession(token: string, { caller, timeoutMs }: { caller: Caller; timeoutMs: number }): Promise<void> {
      await post({ ...rpc("/web/session/destroy", {}, token), caller, timeoutMs }, () => null);
    },
    bootstrap: (token: string): Promise<Answer<BootstrapAnswer>> =>
      post({ path: "/pos-api/v1/bootstrap", body: {}, token, isKept: true }, (value) => parse(BootstrapAnswer, value)),
    /**
     * The body of a batch with as many of the first events as fit, at least one: it can be made while the batch before is
     * on its way.
     */
    batchBody: (hubId: string, events: readonly ForwardEvent[]): BatchBody => batchBody(hubId, events, events.length),
    /** The results by event id: those of `eventIds` only, and none where results contradict each other. */
    batchSync: (
      token: string,
      body: Buffer,
      eventIds: readonly number[],
    ): Promise<Answer<Map<number, BatchSyncResult>>> =>
      post({ path: "/pos-api/v1/hub/batch-sync", body, token, isKept: true, isSuspect: true }, (value, drop) => {
        const { results } = parse(BatchSyncAnswer, value);
        const outcomes = outcomesOf(results, eventIds);
        if (outcomes.size === 0) throw mismatched();
        if (outcomes.size !== results.length) drop();
        return outcomes;
      }),
    finalize(token: string, event: ForwardEvent): Promise<Answer<BatchSyncResult>> {
      const { eventId, posReference, orderJson } = event;
      const body = Buffer.from(appendJsonField(JSON.stringify({ eventId, posReference }), "order", orderJson));
      return post({ path: "/pos-api/v1/hub/finalize", body, token, isSuspect: true }, (value) => {
        const result = parse(BatchSyncResult, value);
        if (String(result.eventId) !== String(eventId)) throw mismatched();
        return result;
      });
    },
    /**
     * What the back-office has of these orders, at most `maxLookupReferences`; it may hold fewer than were asked for. Null
     * where the back-office has no such endpoint.
     */
    async lookup(
      token: string,
      posReferences: readonly string[],
      timeoutMs = TIMEOUT_MS,
    ): Promise<Answer<LookupOrder[] | null>> {
      const call = { path: "/pos-api/v1/hub/lookup", body: { posReferences }, token, timeoutMs, isSuspect: true };
      const requested = new Set(posReferences);
      try {
        return await post(call, (value) => {
          const { orders } = parse(LookupAnswer, value, 200);
          if (!orders.every((order) => requested.has(order.posReference))) throw mismatched();
          return orders;
        });
      } catch (error) {
        if (error instanceof BackOfficeError && isNoEndpoint(error)) return { value: null, token };
        throw error;
      }
    },
    stop(): void {
      isStopped = true;
      kept.stop();
      single.stop();
      peoples.stop();
    },
  };
}

/** How the ids of our JSON-RPC calls begin: an answer with another one of them is an answer to another call. */
const RPC_ID = "comanda-";

function isAnswerTo(rpcId: string | undefined, id: unknown): boolean {
  return id === rpcId || typeof id !== "string" || !id.startsWith(RPC_ID);
}

function mismatched(): BackOfficeError {
  return new BackOfficeError("unreachable", "the back-office's answer belongs to another request", {
    reason: "mismatched",
  });
}

function isSameLogin(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

/** The results for these events; an event with contradicting results counts as one without. */
function outcomesOf(results: readonly BatchSyncResult[], eventIds: readonly number[]): Map<number, BatchSyncResult> {
  const sent = new Map(eventIds.map((id) => [String(id), id]));
  const outcomes = new Map<number, BatchSyncResult>();
  const contradicted = new Set<number>();
  for (const result of results) {
    const id = sent.get(String(result.eventId));
    if (id === undefined) continue;
    const before = outcomes.get(id);
    if (before !== undefined && (before.status !== result.status || before.orderId !== result.orderId)) {
      contradicted.add(id);
    }
    outcomes.set(id, result);
  }
  for (const id of contradicted) outcomes.delete(id);
  return outcomes;
}

function batchBody(hubId: string, events: readonly ForwardEvent[], count: number): BatchBody {
  const fields = events.slice(0, count).map(eventJson);
  const body = Buffer.from(`{"hubId":${JSON.stringify(hubId)},"events":[${fields.join(",")}]}`);
  if (body.length <= BATCH_BYTES || count === 1) return { body, count };
  return batchBody(hubId, events, Math.floor(count / 2));
}

function eventJson({ orderJson, ...event }: ForwardEvent): string {
  return appendJsonField(JSON.stringify(event), "order", orderJson);
}

/** What a body means, whatever its status: Odoo reports failures as HTTP 200. Throws a BackOfficeError. */
function readAnswer(status: number, contentType: string, text: string, rpcId: string | undefined): unknown {
  const body = parseJson(contentType, text);
  // Asked for by its mark first: a failed parse costs more than the rest of an answer.
  const envelope = hasKey(body, "jsonrpc") ? JsonRpcAnswer.safeParse(body) : null;
  if (envelope?.success === true) {
    if (!isAnswerTo(rpcId, envelope.data.id)) throw mismatched();
    if (envelope.data.error !== undefined) throw rpcFailure(envelope.data.error);
    return envelope.data.result ?? null;
  }
  if (status >= 200 && status < 300) {
    if (body !== undefined) return body;
    throw new BackOfficeError("unreachable", `the back-office answered ${status} with no JSON`, { status });
  }
  if (status === 413) {
    throw new BackOfficeError("refused", "larger than the back-office, or a proxy in front of it, accepts", {
      errorCode: "PAYLOAD_TOO_LARGE",
      status,
    });
  }
  const failure = BackOfficeFailure.safeParse(body);
  if (status === 401) throw new BackOfficeError("session_dead", "the back-office session is dead", { status });
  if (failure.success && status < 500 && !isBusy(status)) {
    const { error, errorCode } = failure.data;
    throw new BackOfficeError("refused", error, { errorCode, status });
  }
  throw new BackOfficeError("unreachable", `the back-office answered ${status}`, { status });
}

function isBusy(status: number): boolean {
  return status === 408 || status === 429;
}

/**
 * An unknown path is answered with a refusal, a page, something else altogether, or by Odoo with the 404 that is elsewhere
 * a dead session: whether it is one shows with the next call.
 */
function isNoEndpoint({ kind, status }: BackOfficeError): boolean {
  if (kind === "session_dead") return status === 404;
  return kind === "refused" || (kind === "unreachable" && status !== undefined && status < 500 && !isBusy(status));
}

function rpcFailure(error: JsonRpcError): BackOfficeError {
  const name = error.data?.name ?? "";
  const message = error.data?.message ?? error.message;
  if (error.code === 100 || error.code === 404 || name.endsWith("SessionExpiredException")) {
    const status = error.code === 404 ? 404 : undefined;
    return new BackOfficeError("session_dead", "the back-office session is dead", { status });
  }
  if (error.data?.status === 401) return new BackOfficeError("session_dead", message);
  if (error.data?.status !== undefined && error.data.status >= 500) {
    return new BackOfficeError("unreachable", message, { status: error.data.status });
  }
  if (name.endsWith("AccessDenied")) return new BackOfficeError("login_refused", message);
  return new BackOfficeError("refused", message, {
    errorCode: error.data?.errorCode ?? (name === "" ? undefined : name),
    status: error.data?.status ?? 200,
  });
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && key in value;
}

function parseJson(contentType: string, text: string): unknown {
  if (!contentType.includes("json")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, status?: number): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new BackOfficeError(
    "unreachable",
    `the back-office answered something unexpected (${issue?.path.join(".") ?? ""}: ${issue?.message ?? "?"})`,
    { status },
  );
}

async function readText(body: IncomingMessage, signal: AbortSignal): Promise<string> {
  const { bytes, end } = await readBody(body, BODY_LIMIT);
  if (end === "too large") throw new BackOfficeError("unreachable", "the back-office's answer is too large");
  if (end === "broken off") {
    throw withoutAnswer(signal.aborted ? signal.reason : new Error("the back-office's answer broke off"));
  }
  return bytes.toString("utf8");
}

/** The newest session that the cookies tell; one that could not be sent back is none. */
function sessionCookie(cookies: readonly string[] = []): string | null {
  const values = cookies.map((cookie) => /^session_id=([^;]+)/.exec(cookie.trim())?.[1]?.trim());
  return values.findLast((value) => SessionToken.safeParse(value).success) ?? null;
}

/** Node's error codes of a connection on which nothing was sent. */
const NO_CONNECTION = new Set([
  "ECONNREFUSED",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "EHOSTDOWN",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
]);

function withoutAnswer(error: unknown): BackOfficeError {
  if (!(error instanceof Error)) return new BackOfficeError("unreachable", String(error));
  if (error.name === "TimeoutError") {
    return new BackOfficeError("unreachable", "the back-office did not answer in time", { reason: "timeout" });
  }
  const code = "code" in error ? String(error.code) : "";
  if (code === "") return new BackOfficeError("unreachable", error.message);
  const reason = NO_CONNECTION.has(code) ? "no_connection" : undefined;
  return new BackOfficeError("unreachable", `the back-office cannot be reached (${code})`, { reason });
}
