import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorStatus, type ErrorBody } from "@comanda/protocol";
import type { World } from "../../platform/world.ts";

/** A peer that asks too much hears so after a while, and may ask again then. */
const REFUSE_AFTER_MS = 1_000;

/** Refuses a request of an address that asks too much. */
export function refuseRequest(world: World, response: ServerResponse): void {
  world.timers.setTimeout(() => {
    if (response.destroyed) return;
    const refusal: ErrorBody = { error: "too many requests from this address", errorCode: "RATE_LIMITED" };
    const headers = { "Content-Type": "application/json; charset=utf-8", Connection: "close" };
    response.writeHead(errorStatus[refusal.errorCode], headers).end(JSON.stringify(refusal));
  }, REFUSE_AFTER_MS);
}

/** Refuses a connection with an HTTP status line; it is cut off after `withinMs`. */
export function refuseSocket(world: World, withinMs: number, socket: Duplex, status: string): void {
  // A peer that hangs up now would otherwise end the hub.
  socket.on("error", () => socket.destroy());
  // Read on: the peer's end is only seen behind what it still sends.
  socket.resume();
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\nContent-Length: 0\r\n\r\n`);
  const cut = world.timers.setTimeout(() => socket.destroy(), withinMs);
  socket.once("close", () => world.timers.clearTimeout(cut));
}
