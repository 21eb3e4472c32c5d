import type { OpenSocket } from "../session/socket.ts";

/** The WebSocket of browsers; Node has it too. */
export const openWebSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url);
  socket.addEventListener("open", () => listener.opened());
  socket.addEventListener("message", (event) => listener.received(String(event.data)));
  socket.addEventListener("close", (event) => listener.closed(event.code, event.reason));
  return {
    send(text) {
      // What would go to a socket that is closing is lost, and the browser complains; `close` follows, and it is sent again.
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    close: (code, reason) => socket.close(code, reason),
  };
};
