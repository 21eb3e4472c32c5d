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
  type JsonRpcError,
  type LookupOrder,
  type Role,
} from "@comanda/protocol";
import type { z } from "zod";
import { createHttpClient, readBody } from "../http-client.ts";
import type { World } from "../world.ts";

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

export class BackOfficeError extends Error {
  override readonly name = "BackOfficeError";
  readonly kind: BackOfficeFailureKind;
  readonly errorCode: string | undefined;
  /** The HTTP status of the answer, of a proxy perhaps; null when there was no answer. */
  readonly status: number | null;
  /** Something answered, be it nonsense: the line to the back-office is not to blame. */
  readonly answered: boolean;

  constructor(
    kind: BackOfficeFailureKind,
    message: string,
    { errorCode, status = null }: { errorCode?: string | undefined; status?: number | null } = {},
  ) {
    super(message);
    this.kind = kind;
    this.errorCode = errorCode;
    this.status = status;
    this.answered = kind !== "unreachable" || status === 500;
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

export type BackOfficeClient = ReturnType<typeof createBackOfficeClient>;

/** No call to the back-office may keep anybody waiting longer. */
const TIMEOUT_MS = 15_000;
const BODY_LIMIT = 32 * 1024 * 1024;

/** The only caller of the back-office. Knows Odoo's wrinkles: failures as HTTP 200, envelopes, rotation, HTML pages. */
export function createBackOfficeClient(options: {
  world: World;
  url: string;
  db: string;
  /** Told after each call whether the back-office answered. */
  onContact: (reached: boolean) => void;
  /** Told the time (ms since 1970) that a good answer carries. */
  onServerTime?: (at: number) => void;
}) {
  const { world, url, db, onContact, onServerTime } = options;
  const http = createHttpClient({ connections: 16, connectTimeoutMs: 5_000 });

  /** Bytes as body are JSON already. */
  async function post(path: string, body: object, token: string | null, timeoutMs: number): Promise<Answer<unknown>> {
    try {
      const answer = await exchange(path, body, token, timeoutMs);
      onContact(true);
      return answer;
    } catch (error) {
      const failure = error instanceof BackOfficeError ? error : new BackOfficeError("unreachable", reasonOf(error));
      onContact(failure.kind !== "unreachable");
      world.log.debug({ path, kind: failure.kind, reason: failure.message }, "back-office call failed");
      throw failure;
    }
  }

  async function exchange(
    path: string,
    body: object,
    token: string | null,
    timeoutMs: number,
  ): Promise<Answer<unknown>> {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await http.post(new URL(`${url}${path}`), {
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(token !== null && { cookie: `session_id=${token}` }),
      },
      body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
      signal,
    });
    const newest = sessionCookie(answer.headers["set-cookie"]) ?? token ?? "";
    const text = await readText(answer, signal);
    const value = readAnswer(answer.statusCode ?? 0, answer.headers["content-type"] ?? "", text);
    const serverTime = Date.parse(answer.headers.date ?? "");
    if (!Number.isNaN(serverTime)) onServerTime?.(serverTime);
    return { value, token: newest };
  }

  async function sessionInfo(token: string, timeoutMs = TIMEOUT_MS): Promise<Answer<Identity>> {
    const call = { jsonrpc: "2.0", method: "call", params: {} };
    const answer = await post("/web/session/get_session_info", call, token, timeoutMs);
    const info = parse(SessionInfo, answer.value);
    return { value: await identityOf(info, answer.token), token: answer.token };
  }

  async function identityOf(info: SessionInfo, token: string): Promise<Identity> {
    if (info.uid === null || info.uid === false) throw new BackOfficeError("session_dead", "nobody is signed in");
    const pos = info.pos ?? { role: await roleOf(info, info.uid, token), permissions: [] };
    return {
      userId: info.uid,
      userName: info.name || info.username || `user ${info.uid}`,
      role: pos.role,
      permissions: pos.permissions,
    };
  }

  /** A plain Odoo tells no role; its manager group is asked for in the form of its version. */
  async function roleOf(info: SessionInfo, uid: number, token: string): Promise<Role> {
    const major = Number(info.server_version_info?.[0] ?? info.server_version?.split(".")[0] ?? 18);
    const args = major >= 18 ? [[uid], posManagerGroup] : [posManagerGroup];
    const params = { model: "res.users", method: "has_group", args, kwargs: {} };
    const call = { jsonrpc: "2.0", method: "call", params };
    const answer = await post("/web/dataset/call_kw/res.users/has_group", call, token, TIMEOUT_MS);
    return answer.value === true ? "manager" : "waiter";
  }

  return {
    /** Opens a session; refused logins and a demanded second factor are `login_refused`. */
    async authenticate(login: string, password: string): Promise<Answer<Identity>> {
      const call = { jsonrpc: "2.0", method: "call", params: { db, login, password } };
      const answer = await post("/web/session/authenticate", call, null, TIMEOUT_MS);
      const info = parse(SessionInfo, answer.value);
      if (info.uid === null || info.uid === false) {
        throw new BackOfficeError("login_refused", "the back-office asks this user for a second factor");
      }
      if (answer.token === "") throw new BackOfficeError("unreachable", "the back-office gave no session");
      return { value: await identityOf(info, answer.token), token: answer.token };
    },
    sessionInfo,
    /** Ends a session. */
    async destroySession(token: string): Promise<void> {
      await post("/web/session/destroy", { jsonrpc: "2.0", method: "call", params: {} }, token, TIMEOUT_MS);
    },
    async bootstrap(token: string): Promise<Answer<BootstrapAnswer>> {
      const answer = await post("/pos-api/v1/bootstrap", {}, token, TIMEOUT_MS);
      return { value: parse(BootstrapAnswer, answer.value), token: answer.token };
    },
    /** The body of a batch: it can be made while the batch before is on its way. */
    batchBody: (hubId: string, events: ForwardEvent[]): Buffer =>
      Buffer.from(`{"hubId":${JSON.stringify(hubId)},"events":[${events.map(eventJson).join(",")}]}`),
    async batchSync(token: string, body: Buffer): Promise<Answer<BatchSyncResult[]>> {
      const answer = await post("/pos-api/v1/hub/batch-sync", body, token, TIMEOUT_MS);
      return { value: parse(BatchSyncAnswer, answer.value).results, token: answer.token };
    },
    async finalize(token: string, event: ForwardEvent): Promise<Answer<BatchSyncResult>> {
      const { eventId, posReference, orderJson } = event;
      const body = Buffer.from(withOrder({ eventId, posReference }, orderJson));
      const answer = await post("/pos-api/v1/hub/finalize", body, token, TIMEOUT_MS);
      return { value: parse(BatchSyncResult, answer.value), token: answer.token };
    },
    /**
     * What the back-office has of these orders, at most `maxLookupReferences`; it may hold fewer than were asked for. Null
     * where the back-office has no such endpoint.
     */
    async lookup(token: string, posReferences: readonly string[]): Promise<Answer<LookupOrder[] | null>> {
      try {
        const answer = await post("/pos-api/v1/hub/lookup", { posReferences }, token, TIMEOUT_MS);
        return { value: parse(LookupAnswer, answer.value, 200).orders, token: answer.token };
      } catch (error) {
        if (error instanceof BackOfficeError && isNoEndpoint(error)) return { value: null, token };
        throw error;
      }
    },
    stop: http.stop,
  };
}

function eventJson({ orderJson, ...event }: ForwardEvent): string {
  return withOrder(event, orderJson);
}

/** An object with a last field `order` that is JSON already. */
function withOrder(head: object, orderJson: string): string {
  return `${JSON.stringify(head).slice(0, -1)},"order":${orderJson}}`;
}

/** What a body means, whatever its status: Odoo reports failures as HTTP 200. Throws a BackOfficeError. */
function readAnswer(status: number, contentType: string, text: string): unknown {
  const body = parseJson(contentType, text);
  // Asked for by its mark first: a failed parse costs more than the rest of an answer.
  const envelope = hasKey(body, "jsonrpc") ? JsonRpcAnswer.safeParse(body) : null;
  if (envelope?.success === true) {
    if (envelope.data.error !== undefined) throw rpcFailure(envelope.data.error);
    return envelope.data.result ?? null;
  }
  if (status >= 200 && status < 300) {
    if (body !== undefined) return body;
    throw new BackOfficeError("unreachable", `the back-office answered ${status} with no JSON`, { status });
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

/** A path that a back-office does not know is answered with a refusal, a page, or something else altogether. */
function isNoEndpoint({ kind, status }: BackOfficeError): boolean {
  return kind === "refused" || (kind === "unreachable" && status !== null && status < 500 && !isBusy(status));
}

function rpcFailure(error: JsonRpcError): BackOfficeError {
  const name = error.data?.name ?? "";
  const message = error.data?.message ?? error.message;
  if (error.code === 100 || error.code === 404 || name.endsWith("SessionExpiredException")) {
    return new BackOfficeError("session_dead", "the back-office session is dead");
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

function parse<T>(schema: z.ZodType<T>, value: unknown, status: number | null = null): T {
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
  if (end === "broken off") throw signal.aborted ? signal.reason : new Error("the back-office's answer broke off");
  return bytes.toString("utf8");
}

function sessionCookie(cookies: readonly string[] = []): string | null {
  let newest: string | null = null;
  for (const cookie of cookies) {
    const match = /^session_id=([^;]+)/.exec(cookie.trim());
    if (match?.[1] !== undefined) newest = match[1];
  }
  return newest;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "the back-office did not answer in time";
  const code = "code" in error ? String(error.code) : "";
  return code === "" ? error.message : `the back-office cannot be reached (${code})`;
}
