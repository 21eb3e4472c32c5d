import http, { type ClientRequest, type IncomingMessage } from "node:http";
import type https from "node:https";
import type { LookupFunction, Socket } from "node:net";
import { messageOf } from "./error-facts.ts";

/** How long a kept connection may be idle before the hub closes it. */
const IDLE_MS = 30_000;

interface GetRequest {
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Resolves the URL's host name for a new connection. */
  lookup?: LookupFunction;
}

interface PostRequest extends GetRequest {
  body: string | Buffer;
}

/** Thrown if a request cannot be sent on any network: its URL or a header is invalid. */
export class UnusableRequest extends Error {
  override readonly name = "UnusableRequest";
}

/**
 * Sends requests with Node's own HTTP client, which the hub's server has loaded anyway: with undici, a hub that had sent 13,000
 * webhooks used 75 MiB more. Never follows a redirect. Connections are reused unless `keepAlive` is false. Node closes an idle
 * connection when bytes arrive on it, since the next request would take them for its answer.
 */
export function createHttpClient(options: { connectTimeoutMs: number; connections?: number; keepAlive?: boolean }) {
  const { connectTimeoutMs, connections = Infinity, keepAlive = true } = options;
  const agentOptions = { keepAlive, timeout: IDLE_MS, maxSockets: connections } as const;
  const plain = new http.Agent(agentOptions);
  let isStopped = false;
  let secure: { agent: https.Agent; request: typeof https.request } | null = null;

  async function securely() {
    const { Agent, request } = await import("node:https");
    secure ??= { agent: new Agent(agentOptions), request };
    return secure;
  }

  async function send(
    method: "GET" | "POST",
    url: URL,
    { headers, body, signal, lookup }: GetRequest & Partial<PostRequest>,
  ): Promise<IncomingMessage> {
    if (isStopped) throw new Error("stopped");
    const { request, agent } =
      url.protocol === "https:" ? (secure ?? (await securely())) : { request: http.request, agent: plain };
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const outgoing = usable(() =>
        request(url, {
          method,
          agent,
          // An agent with a limit reuses its connections for waiting requests even without keepAlive; this header prevents it.
          headers: keepAlive ? headers : { ...headers, connection: "close" },
          ...(lookup !== undefined && { lookup }),
        }),
      );
      // Not the request's `signal` option, which costs more than the request.
      const abort = (): void => void outgoing.destroy(signal.reason as Error);
      signal.addEventListener("abort", abort, { once: true });
      outgoing.once("close", () => {
        signal.removeEventListener("abort", abort);
        // Node closes without an error when the answer is 101, which no request asks for.
        reject(new Error("the connection was closed without an answer"));
      });
      outgoing.once("socket", (socket) => limitConnecting(socket, connectTimeoutMs));
      outgoing.once("response", resolve);
      outgoing.on("error", (error) => reject(signal.aborted ? (signal.reason as Error) : error));
      outgoing.end(body);
    });
  }

  return {
    /**
     * Resolves with the head of the answer; the caller must read or destroy its body. Throws the connection's error, the
     * signal's reason, or UnusableRequest.
     */
    post: (url: URL, request: PostRequest): Promise<IncomingMessage> => send("POST", url, request),
    get: (url: URL, request: GetRequest): Promise<IncomingMessage> => send("GET", url, request),
    /** Aborts requests in progress, closes every connection and sends no more. */
    stop(): void {
      isStopped = true;
      plain.destroy();
      secure?.agent.destroy();
    },
  };
}

function usable(make: () => ClientRequest): ClientRequest {
  try {
    return make();
  } catch (error) {
    throw new UnusableRequest(messageOf(error), { cause: error });
  }
}

/** What was read of a body: all of it, its beginning up to the limit, or the part before it broke off. */
export interface ReadBody {
  bytes: Buffer;
  end: "whole" | "too large" | "broken off";
}

/** Reads a body and cuts it off just beyond `limit` bytes. */
export function readBody(body: IncomingMessage, limit: number): Promise<ReadBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (end: ReadBody["end"]): void => resolve({ bytes: Buffer.concat(chunks), end });
    body.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= limit) return;
      finish("too large");
      body.destroy();
    });
    body.once("end", () => finish("whole"));
    // The error is not needed: the caller knows whether it cut the connection itself. Only the first end counts.
    body.once("error", () => finish("broken off"));
    body.once("close", () => finish("broken off"));
    if (body.closed) finish("broken off");
  });
}

/** Destroys a new connection that is not established, including TLS, within `ms`. */
function limitConnecting(socket: Socket, ms: number): void {
  if (!socket.connecting) return;
  const error = Object.assign(new Error(`no connection within ${ms / 1000} s`), { code: "ETIMEDOUT" });
  const timer = setTimeout(() => socket.destroy(error), ms).unref();
  const done = (): void => clearTimeout(timer);
  socket.once("encrypted" in socket ? "secureConnect" : "connect", done);
  socket.once("close", done);
}
