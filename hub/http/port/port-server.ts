import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Budget } from "@comanda/protocol";
import { StartError } from "../../platform/errors.ts";
import type { World } from "../../platform/world.ts";
import type { RequestLanes } from "./request-lanes.ts";
import { createRequestReader, type RequestReader } from "./request-reader.ts";
import { refuseRequest, refuseSocket, sendError, refuseUnread, type SocketRefusal } from "./refusals.ts";
import { createSocketCount } from "./socket-count.ts";
import { cutUnread } from "./unread-answers.ts";

/** The outcome of a WebSocket upgrade: accepted, or refused with an HTTP status line. */
export type UpgradeVerdict =
  | "taken"
  | "400 Bad Request"
  | "403 Forbidden"
  | "404 Not Found"
  | "503 Service Unavailable";

export interface PortLimits {
  /** A response that the peer has not read for this long is cut off. */
  writeStallMs: number;
  /** A refused upgrade is cut off after this time, even if its peer has not closed. */
  refusedMs: number;
  /** At a stop, responses in progress have this long to finish. */
  finishMs: number;
  sockets: number;
  socketsPerPeer: number;
  /** How fast one address may open sockets. */
  arrivalsPerPeer: Budget;
  /** How many unread bytes all responses together may hold. */
  unreadBytes: number;
}

const defaults: PortLimits = {
  writeStallMs: 60_000,
  refusedMs: 1_000,
  finishMs: 1_000,
  sockets: 4_096,
  socketsPerPeer: 1_024,
  arrivalsPerPeer: { burst: 1_024, perSecond: 100 },
  unreadBytes: 64 * 1024 * 1024,
};
/** How often unread bytes are counted while requests come in. */
const COUNT_UNREAD_MS = 50;
/** New sockets that wait to be accepted; beyond this the peer retries after a second. */
const BACKLOG = 4_096;

export type PortServer = ReturnType<typeof createPortServer>;

/**
 * The hub's one port: HTTP and WebSockets. It tracks every socket from open to close, so that no peer can keep one open longer
 * than it is served, and a stop always completes.
 */
export function createPortServer(deps: {
  world: World;
  onRequest: RequestListener;
  onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): UpgradeVerdict;
  /** Decides when each request begins. */
  lanes: Pick<RequestLanes, "take">;
  /** Whether many peers share this address; it then has no limit of its own. */
  isProxy(address: string): boolean;
  limits?: Partial<PortLimits>;
}) {
  const { world, onRequest, onUpgrade, lanes, isProxy } = deps;
  const limits = { ...defaults, ...deps.limits };
  const sockets = new Set<Socket>();
  /** The readers of sockets that have not become WebSockets. */
  const readers = new Map<Socket, RequestReader>();
  let unreadCountedAt = -Infinity;
  const refuse = (socket: Duplex, status: SocketRefusal): void => refuseSocket(world, limits.refusedMs, socket, status);
  const count = createSocketCount(
    { open: limits.socketsPerPeer, arrivals: limits.arrivalsPerPeer },
    world.clock.monotonic,
  );
  // Other upgrades, such as the h2c that Java's client offers, are declined with an ordinary answer.
  const shouldUpgradeCallback = (request: IncomingMessage): boolean =>
    /(^|[,\s])websocket($|[,\s])/i.test(request.headers.upgrade ?? "");
  // Node would answer a request without a Host itself, without this port's response headers.
  const options = { shouldUpgradeCallback, connectionsCheckingInterval: 5_000, requireHostHeader: false };
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    readers.get(socket)?.begin(request, response);
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (request.httpVersion === "1.1" && request.headers.host === undefined) {
      return sendError(response, 400, "VALIDATION_ERROR", "Host: must be given");
    }
    response.setTimeout(limits.writeStallMs, () => {
      // While the answer is still being computed, nothing is waiting to be read, and the peer is not at fault.
      if (socket.writableLength > 0) socket.destroy();
    });
    limitUnread();
    lanes.take(request, {
      begin: () => void (socket.destroyed || onRequest(request, response)),
      refuse: () => refuseRequest(world, response),
    });
  });
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  server.keepAliveTimeout = 65_000;
  server.maxConnections = limits.sockets;

  server.on("connection", (socket) => {
    const address = socket.remoteAddress ?? "";
    const isCounted = !isProxy(address);
    if (isCounted && !count.admits(address)) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    readers.set(socket, createRequestReader(socket));
    socket.once("close", () => {
      sockets.delete(socket);
      readers.delete(socket);
      if (isCounted) count.closed(address);
    });
  });

  server.on("upgrade", (request, socket, head) => {
    const verdict = onUpgrade(request, socket, endReading(request.socket, head));
    if (verdict !== "taken") refuse(socket, verdict);
  });

  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    readers.get(request.socket)?.begin(request, response);
    response.setHeader("X-Content-Type-Options", "nosniff");
    sendError(response, 417, "VALIDATION_ERROR", "Expect: must be 100-continue");
  });

  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const reader = readers.get(socket);
    if (reader === undefined || !socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    endReading(socket);
    const status = unreadableStatus[error.code ?? ""] ?? "400 Bad Request";
    const underWay = reader.underWay();
    if (underWay === null) return refuse(socket, status);
    const { request, response } = underWay;
    if (!request.complete && !response.headersSent) return refuseUnread(response, status);
    response.once("close", () => refuse(socket, status));
  });

  /** Stops reading requests from a socket. Returns the bytes that arrived after the last request, `head` first. */
  function endReading(socket: Socket, head: Buffer = Buffer.alloc(0)): Buffer {
    const reader = readers.get(socket);
    readers.delete(socket);
    return reader?.end(head) ?? head;
  }

  function limitUnread(): void {
    if (world.clock.monotonic() - unreadCountedAt < COUNT_UNREAD_MS) return;
    unreadCountedAt = world.clock.monotonic();
    cutUnread(readers.keys(), (socket) => socket.remoteAddress ?? "", limits.unreadBytes);
  }

  return {
    /** Resolves to the port. Throws a StartError that names the obstacle. */
    listen(port: number, host: string): Promise<number> {
      return new Promise((resolve, reject) => {
        server.once("error", (error: NodeJS.ErrnoException) => reject(asStartError(error, port, host)));
        server.listen(port, host, BACKLOG, () => resolve((server.address() as AddressInfo).port));
      });
    },
    /** Accepts no more sockets, lets responses in progress finish, then cuts off the rest. */
    close(): Promise<void> {
      return new Promise((resolve) => {
        const cut = world.timers.setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, limits.finishMs);
        server.close(() => {
          world.timers.clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      });
    },
    sockets: (): number => sockets.size,
  };
}

/** The refusals of unreadable requests, by Node's error code. */
const unreadableStatus: Readonly<Record<string, SocketRefusal>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** System errors for an address that is not this machine's, or a port that this user may not open. */
const notListenable: ReadonlySet<string | undefined> = new Set(["EACCES", "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"]);

function asStartError(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE") {
    return new StartError("port_in_use", `Port ${port} (HUB_HTTP_PORT) is in use by another program.`);
  }
  if (notListenable.has(error.code)) {
    const [setting, value, allowed] =
      error.code === "EACCES"
        ? ["HUB_HTTP_PORT", port, "a port that this user may open, usually one above 1023"]
        : ["HUB_HOST", host, "an address of this machine"];
    return new StartError("address", `${setting} is "${value}", but must be ${allowed}.`, [setting]);
  }
  return error;
}
