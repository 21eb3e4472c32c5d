import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request received by the line. */
export interface LineRequest {
  /** Number of the connection, from 1. */
  connection: number;
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  /** The raw body. */
  raw: Buffer;
}

/**
 * A fault of one request. With `carriedOut` the back-office processes the request and only the answer is lost; without
 * it the request never reaches the back-office.
 */
export type LineFault =
  /** Delays the answer by `ms`. */
  | { kind: "late"; ms: number }
  /** Answers, and `afterMs` later (at once without it) sends the same answer again on the same connection. */
  | { kind: "twice"; afterMs?: number }
  /**
   * Answers each shifted request with the answer to the shifted request before it, on any connection. The first one gets
   * its own answer.
   */
  | { kind: "shift" }
  /** Sends the head and half of the answer's body, then closes the connection. The request is carried out. */
  | { kind: "cut" }
  /** Sends a complete answer with half of the body, like a proxy that ran out of space. The request is carried out. */
  | { kind: "halve" }
  /** Sends a proxy's HTML page, at once or after `afterMs`. */
  | { kind: "html"; status: number; afterMs?: number; carriedOut?: boolean }
  /** Sends a JSON answer that is not the back-office's, at once or after `afterMs`. */
  | { kind: "json"; status: number; body: unknown; afterMs?: number; carriedOut?: boolean }
  /** Closes the connection with a TCP reset. */
  | { kind: "reset"; carriedOut?: boolean }
  /** Never answers; the connection stays open. */
  | { kind: "hang"; carriedOut?: boolean };

export interface FaultyLine {
  url: string;
  /** The address of the back-office, such as `http://127.0.0.1:8069`; may be set later. */
  target: string;
  /** Every request so far, in order, including those that did not reach the back-office. */
  readonly requests: LineRequest[];
  /** Sets the rule for each complete request; null lets it pass. Replaces the previous rule. */
  faults(rule: (request: LineRequest) => LineFault | null): void;
  /** Removes the rule. Delayed answers and hanging requests stay as they are. */
  heal(): void;
  /** Sends these bytes to the hub, unrequested, on every open connection. */
  sendUnsolicited(bytes: string | Buffer): void;
  /** Number of connections opened so far, and of those still open. */
  connections(): { opened: number; open: number };
  /** Cuts every connection and refuses new ones (ECONNREFUSED), until `up`. */
  down(): Promise<void>;
  /** Takes connections again, on the same port. */
  up(): Promise<void>;
  stop(): Promise<void>;
}

interface LineAnswer {
  head: string;
  body: Buffer;
}

/** Returns a rule that answers bodies above `bytes` with nginx's 413 page, like a proxy; nothing is carried out. */
export function limitBody(bytes: number): (request: LineRequest) => LineFault | null {
  return ({ raw }) => (raw.length > bytes ? { kind: "html", status: 413 } : null);
}

/**
 * Starts a line to the back-office that fails as real ones do. It sits between a hub (`ERP_URL` is its `url`) and a real
 * back-office. It reads whole requests from raw sockets and writes raw answers, so an answer can come late, twice, to
 * the wrong request, in part or not at all. Without a rule it forwards everything.
 *
 *     const line = await startFaultyLine();
 *     const hub = await startTestHub({ line });            // sets the target, and stops the line with the hub
 *     line.faults(({ path }) => (path.endsWith("/batch-sync") ? { kind: "hang", carriedOut: true } : null));
 *     …
 *     line.heal();
 */
export async function startFaultyLine(target = ""): Promise<FaultyLine> {
  const requests: LineRequest[] = [];
  const sockets = new Set<Socket>();
  let openedCount = 0;
  let rule: (request: LineRequest) => LineFault | null = () => null;
  let lastShifted: LineAnswer | null = null;

  const server = createServer((socket) => {
    openedCount += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    void serve(socket, openedCount).catch(() => socket.destroy());
  });
  const listen = async (port: number): Promise<void> => {
    await once(server.listen(port, "127.0.0.1"), "listening");
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  async function serve(socket: Socket, connection: number): Promise<void> {
    for await (const request of requestsOf(socket, connection)) {
      requests.push(request);
      await answer(socket, request);
      if (request.headers["connection"] === "close" && socket.writable) socket.end();
    }
  }

  async function answer(socket: Socket, request: LineRequest): Promise<void> {
    const fault = rule(request);
    if (fault === null) return write(socket, await forward(line.target, request));
    switch (fault.kind) {
      case "late": {
        const late = await forward(line.target, request);
        await pause(fault.ms);
        return write(socket, late);
      }
      case "twice": {
        const twice = await forward(line.target, request);
        write(socket, twice);
        if (fault.afterMs !== undefined) await pause(fault.afterMs);
        return write(socket, twice);
      }
      case "shift": {
        const own = await forward(line.target, request);
        write(socket, lastShifted ?? own);
        lastShifted = own;
        return;
      }
      case "cut": {
        const { head, body } = await forward(line.target, request);
        socket.end(Buffer.concat([Buffer.from(head), body.subarray(0, body.length / 2)]));
        return;
      }
      case "halve": {
        const { head, body } = await forward(line.target, request);
        const firstHalf = body.subarray(0, body.length / 2);
        return write(socket, {
          head: head.replace(/content-length: \d+/i, `content-length: ${firstHalf.length}`),
          body: firstHalf,
        });
      }
      case "html":
      case "json": {
        if (fault.carriedOut === true) await forward(line.target, request);
        if (fault.afterMs !== undefined) await pause(fault.afterMs);
        const page = `<html><body><center><h1>${fault.status}</h1></center></body></html>\n`;
        const [type, content] =
          fault.kind === "html" ? ["text/html", page] : ["application/json", JSON.stringify(fault.body)];
        return write(socket, compose(fault.status, "of the line", [["content-type", type]], Buffer.from(content)));
      }
      case "reset":
        if (fault.carriedOut === true) await forward(line.target, request);
        socket.resetAndDestroy();
        return;
      case "hang":
        if (fault.carriedOut === true) await forward(line.target, request);
        await once(socket, "close");
    }
  }

  const line: FaultyLine = {
    url: `http://127.0.0.1:${port}`,
    target,
    requests,
    faults(next) {
      rule = next;
      lastShifted = null;
    },
    heal: () => line.faults(() => null),
    sendUnsolicited: (bytes) => sockets.forEach((socket) => socket.write(bytes)),
    connections: () => ({ opened: openedCount, open: sockets.size }),
    async down() {
      const closed = once(server, "close");
      server.close();
      sockets.forEach((socket) => socket.destroy());
      await closed;
    },
    up: () => listen(port),
    async stop() {
      if (server.listening) await line.down();
    },
  };
  return line;
}

/** Yields the requests of a connection. Each must have a Content-Length, as the hub's have. */
async function* requestsOf(socket: Socket, connection: number): AsyncGenerator<LineRequest> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const headEnd = bytes.indexOf("\r\n\r\n");
      if (headEnd === -1) break;
      const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
      const headers = Object.fromEntries(
        lines.map((text) => [text.slice(0, text.indexOf(":")).toLowerCase(), text.slice(text.indexOf(":") + 1).trim()]),
      );
      const end = headEnd + 4 + Number(headers["content-length"] ?? 0);
      if (bytes.length < end) break;
      const [method = "", path = ""] = first.split(" ");
      const raw = bytes.subarray(headEnd + 4, end);
      bytes = bytes.subarray(end);
      yield { connection, method, path, headers, raw };
    }
  }
}

/** Sends the request to the back-office on a new connection and returns the answer. */
async function forward(target: string, { method, path, headers, raw }: LineRequest): Promise<LineAnswer> {
  const forwarded = httpRequest(new URL(path, target), {
    method,
    agent: false,
    headers: { ...headers, connection: "close" },
  });
  forwarded.end(raw);
  const [response] = (await once(forwarded, "response")) as [IncomingMessage];
  const fields: [string, string][] = [];
  for (let i = 0; i + 1 < response.rawHeaders.length; i += 2) {
    fields.push([response.rawHeaders[i] ?? "", response.rawHeaders[i + 1] ?? ""]);
  }
  const endToEndFields = fields.filter(
    ([name]) => !/^(connection|keep-alive|transfer-encoding|content-length)$/i.test(name),
  );
  return compose(response.statusCode ?? 0, response.statusMessage ?? "", endToEndFields, await buffer(response));
}

function compose(status: number, statusText: string, fields: [string, string][], body: Buffer): LineAnswer {
  const lines = [...fields, ["content-length", String(body.length)]].map(([name, value]) => `${name}: ${value}\r\n`);
  return { head: `HTTP/1.1 ${status} ${statusText}\r\n${lines.join("")}\r\n`, body };
}

function write(socket: Socket, { head, body }: LineAnswer): void {
  if (socket.writable) socket.write(Buffer.concat([Buffer.from(head), body]));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
