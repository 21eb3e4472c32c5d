import type { OpenSocket } from "../session/socket.ts";

/** The WebSocket of browsers; Node has it too. */
export const openWebSocket: OpenSocket = (url, listener) => {
  const socket = new WebSocket(url);
  socket.addEventListener("open", () => listener.opened());
  socket.addEventListener("message", (event) => listener.received(String(event.data)));
  socket.addEventListener("close", (event) => listener.closed(event.code, event.reason));
  return {
    send: (text) => socket.send(text),
    close: (code, reason) => socket.close(code, reason),
  };
};
