import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  // Tests read answers of any shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface SendOptions {
  headers?: Record<string, string>;
  /** Sent as JSON. Strings and bytes are sent unchanged. */
  body?: unknown;
  /** Sends the body in chunks, without Content-Length. */
  chunked?: boolean;
  /** Source address. Another loopback address counts as another peer. */
  localAddress?: string;
}

const agents = new Map<string | undefined, Agent>();

/** Closes kept connections. A stopped hub has ended them, even if this process has not noticed yet. */
export function forgetConnections(): void {
  for (const agent of agents.values()) agent.destroy();
}

/**
 * Sends one request exactly as written: nothing is normalized, encoded or redirected. If the server had closed the kept
 * connection as idle, which a busy process notices only when writing, the request is sent again on another.
 */
export async function send(url: string, method: string, path: string, options: SendOptions = {}): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { body, chunked = false, localAddress } = options;
  const bytes = body === undefined ? undefined : encode(body);
  const headers: Record<string, string> = {
    ...(bytes !== undefined && { "Content-Type": "application/json" }),
    ...(bytes !== undefined && !chunked && { "Content-Length": String(bytes.length) }),
    ...options.headers,
  };
  const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, maxSockets: 64 });
  agents.set(localAddress, agent);
  return new Promise((resolve, reject) => {
    const target = {
      hostname,
      port,
      method,
      path,
      headers,
      agent,
      ...(localAddress !== undefined && { localAddress }),
    };
    const outgoing = request(target, (response) => {
      text(response).then((content) => {
        const isJson = response.headers["content-type"]?.includes("json") === true;
        const value: unknown = content === "" ? undefined : isJson ? JSON.parse(content) : content;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: value });
      }, reject);
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && error.code === "ECONNRESET") resolve(send(url, method, path, options));
      else reject(error);
    });
    outgoing.end(bytes);
  });
}

function encode(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
}
