import { terminalLimits } from "@comanda/protocol";
import { WebSocket } from "ws";
import type { OpenSocket } from "../session/socket.ts";

/** How long a connection may take to open. */
const HANDSHAKE_MS = 10_000;
/** The hub may say so much in one frame: its pages of a SYNC are larger than what it takes itself. */
const MOST_FRAME_BYTES = 64 * terminalLimits.frameBytes;

/** The `ws` package's WebSocket: quicker than Node's own, and a connection that hangs can be torn down. */
export const openWsSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: MOST_FRAME_BYTES,
  });
  socket.on("open", () => listener.opened());
  socket.on("message", (data: Buffer) => listener.received(data.toString("utf8")));
  socket.on("close", (code, reason) => listener.closed(code, reason.toString("utf8")));
  // Whatever it says, `close` follows.
  socket.on("error", () => {});
  return {
    send: (text) => socket.send(text),
    close(code, reason) {
      socket.close(code, reason);
      // ws waits 30 s for the other side's close; nobody may be there any more.
      setTimeout(() => socket.terminate(), 1_000).unref();
    },
  };
};
