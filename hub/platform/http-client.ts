import type { Readable } from "node:stream";
import type { LookupFunction } from "node:net";
import type * as Undici from "undici";
import type { Agent, buildConnector, Dispatcher } from "undici";

/** How long a kept connection may be idle, unless the server names a shorter time. */
const REST_MS = 30_000;

/** Refuses a host by throwing, or returns what resolves it for a connection. */
export type Guard = (host: string, port: number) => LookupFunction;

/** The request cannot be sent, whatever the network is like: its address or a header is not valid. */
export class UnusableRequest extends Error {
  override readonly name = "UnusableRequest";
}

/**
 * Posts over HTTP/1.1 and never follows a redirect. Connections are kept, unless `keepAlive` is false: then each request
 * has one of its own. A kept connection on which bytes arrive while it is idle is closed: the next request would take
 * them for its answer.
 */
export function createHttpClient(options: {
  connectTimeoutMs: number;
  connections?: number;
  keepAlive?: boolean;
  guard?: Guard;
}) {
  const { connections = null, keepAlive = true } = options;
  let isStopped = false;
  let agent: Agent | undefined;
  /** Those that were replaced stay until their last request has ended. */
  const agents = new Set<Agent>();

  function openAgent(undici: typeof Undici): Agent {
    const opened = new undici.Agent({
      connect: (target, callback) => connect(undici.buildConnector, target, callback),
      connections,
      pipelining: keepAlive ? 1 : 0,
      keepAliveTimeout: REST_MS,
      allowH2: false,
      // Callers bound the whole exchange with their signal.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    agents.add(opened);
    return opened;
  }

  function connect(
    build: typeof buildConnector,
    target: buildConnector.Options,
    callback: buildConnector.Callback,
  ): void {
    const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
    try {
      const lookup = options.guard?.(target.hostname.replace(/^\[|\]$/g, ""), port);
      build({ timeout: options.connectTimeoutMs, allowH2: false, ...(lookup && { lookup }) })(target, callback);
    } catch (error) {
      queueMicrotask(() => callback(error as Error, null));
    }
  }

  return {
    /** Resolves with the head of the answer, whose body is to be read or destroyed. Throws the connection's error, the signal's reason, or UnusableRequest. */
    async post(
      url: URL,
      { headers, body, signal }: { headers: Record<string, string>; body: string | Buffer; signal: AbortSignal },
    ): Promise<Dispatcher.ResponseData> {
      // Read with the first request: it is a fifth of the time that the hub takes to start.
      const undici = await import("undici");
      if (isStopped) throw new Error("stopped");
      agent ??= openAgent(undici);
      try {
        return await undici.request(url, { method: "POST", headers, body, signal, dispatcher: agent });
      } catch (error) {
        throw error instanceof undici.errors.InvalidArgumentError
          ? new UnusableRequest(error.message, { cause: error })
          : error;
      }
    },
    /** Sends later requests over new connections; those under way end on theirs. */
    renewConnections(): void {
      const replaced = agent;
      if (isStopped || replaced === undefined) return;
      agent = undefined;
      const forget = (): void => void agents.delete(replaced);
      void replaced.close().then(forget, forget);
    },
    /** Cuts off what is under way, closes every connection and posts no more. */
    stop(): void {
      isStopped = true;
      for (const each of agents) void each.destroy();
    },
  };
}

/** What was read of a body: all of it, its beginning up to the limit, or what came before it broke off. */
export interface ReadBody {
  bytes: Buffer;
  end: "whole" | "too large" | "broken off";
}

/** Reads a body, no further than just beyond `limit` bytes: what is longer is cut off there. */
export function readBody(body: Readable, limit: number): Promise<ReadBody> {
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
    // undici takes a connection back one turn after its answer has ended: the caller's next request finds it there.
    body.once("end", () => setImmediate(finish, "whole"));
    // Its error says nothing new: the caller knows whether it cut the connection itself. Only the first end counts.
    body.on("error", () => finish("broken off"));
    body.once("close", () => setImmediate(finish, "broken off"));
    if (body.closed) finish("broken off");
  });
}
