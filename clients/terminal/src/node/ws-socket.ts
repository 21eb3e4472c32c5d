import { terminalLimits } from "@comanda/protocol";
import { WebSocket } from "ws";
import type { OpenSocket } from "../session/socket.ts";

/** Connection timeout. */
const HANDSHAKE_MS = 10_000;
/** The hub's frames may be larger than a terminal's: a SYNC page is. */
const MAX_FRAME_BYTES = 64 * terminalLimits.frameBytes;

/** The `ws` package's WebSocket: faster than Node's own, and a hanging connection can be terminated. */
export const openWsSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MAX_FRAME_BYTES,
  });
  socket.on("open", () => listener.opened());
  socket.on("message", (data: Buffer) => listener.received(data.toString("utf8")));
  socket.on("close", (code, reason) => listener.closed(code, reason.toString("utf8")));
  // `close` follows every error.
  socket.on("error", () => {});
  return {
    send: (text) => socket.send(text),
    close(code, reason) {
      socket.close(code, reason);
      // ws waits 30 s for the other side's close, which may never come.
      setTimeout(() => socket.terminate(), 1_000).unref();
    },
  };
};
