import type { OpenSocket } from "../session/socket.ts";

/** The global WebSocket of browsers and Node. */
export const openWebSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url);
  socket.addEventListener("open", () => listener.opened());
  socket.addEventListener("message", (event) => listener.received(String(event.data)));
  socket.addEventListener("close", (event) => listener.closed(event.code, event.reason));
  return {
    send(text) {
      // A send to a closing socket would be lost and logged by the browser. `close` follows, and the message is sent again.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code, reason) => socket.close(code, reason),
  };
};
