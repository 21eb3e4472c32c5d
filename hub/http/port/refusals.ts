import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type ErrorBody, type ErrorCode, errorStatus } from "@comanda/protocol";
import type { World } from "../../platform/world.ts";

/** The delay of a rate-limit refusal, in ms; it slows down peers that retry at once. */
const REFUSE_AFTER_MS = 1_000;
const JSON_TYPE = "application/json; charset=utf-8";

/** Refuses a request of an address that sends too many. */
export function refuseRequest(world: World, response: ServerResponse): void {
  world.timers.setTimeout(() => {
    if (response.destroyed) return;
    sendError(response, errorStatus.RATE_LIMITED, "RATE_LIMITED", "too many requests from this address");
  }, REFUSE_AFTER_MS);
}

/** Refuses a request before it is routed, in the usual error format, and closes its connection. */
export function sendError(response: ServerResponse, status: number, errorCode: ErrorCode, error: string): void {
  response
    .writeHead(status, { "Content-Type": JSON_TYPE, Connection: "close" })
    .end(JSON.stringify({ error, errorCode } satisfies ErrorBody));
}

/** The refusals of connections without a request to serve, by status line. */
const socketRefusals = {
  "400 Bad Request": { error: "the request cannot be read", errorCode: "VALIDATION_ERROR" },
  "403 Forbidden": { error: "this page may not use the hub; see HUB_ALLOWED_ORIGINS", errorCode: "FORBIDDEN" },
  "404 Not Found": { error: "there is nothing at this address", errorCode: "NOT_FOUND" },
  "408 Request Timeout": { error: "the request did not arrive in time", errorCode: "VALIDATION_ERROR" },
  "431 Request Header Fields Too Large": {
    error: "the address and the headers are longer than 16 KiB",
    errorCode: "PAYLOAD_TOO_LARGE",
  },
  "503 Service Unavailable": { error: "the hub has no room for another connection", errorCode: "RATE_LIMITED" },
} as const satisfies Record<string, ErrorBody>;
export type SocketRefusal = keyof typeof socketRefusals;

/** Rejects a request whose body cannot be read, and closes its connection. */
export function refuseUnread(response: ServerResponse, status: SocketRefusal): void {
  const { error, errorCode } = socketRefusals[status];
  sendError(response, Number.parseInt(status, 10), errorCode, error);
}

/** Refuses a connection with an HTTP answer, and cuts it off after `withinMs`. */
export function refuseSocket(world: World, withinMs: number, socket: Duplex, status: SocketRefusal): void {
  const body = JSON.stringify(socketRefusals[status]);
  // An unhandled error event, if the peer hangs up now, would end the hub.
  socket.on("error", () => socket.destroy());
  // Keeps reading: the peer's end is only seen after the data that it still sends.
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n` +
      `Content-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const cut = world.timers.setTimeout(() => socket.destroy(), withinMs);
  socket.once("close", () => world.timers.clearTimeout(cut));
}
