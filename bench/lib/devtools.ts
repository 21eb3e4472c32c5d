import { once } from "node:events";
import { WebSocket } from "ws";

/** A connection to the inspector of a Node program or of a browser (Chrome DevTools Protocol). */
export interface Devtools {
  call: <T = unknown>(method: string, params?: Record<string, unknown>) => Promise<T>;
  /** Calls `listener` with each event of this name until the returned function is called. */
  on: (event: string, listener: (params: Record<string, unknown>) => void) => () => void;
  /** Returns the same connection, addressed to one attached page. */
  session: (sessionId: string) => Pick<Devtools, "call">;
  close: () => void;
}

interface Answer {
  id?: number;
  /** Set on events, which have no id. */
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { message: string };
}

export async function connectDevtools(url: string): Promise<Devtools> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Map<string, Set<(params: Record<string, unknown>) => void>>();
  let lastId = 0;
  socket.on("message", (data) => {
    const { id, method = "", params = {}, result, error } = JSON.parse((data as Buffer).toString()) as Answer;
    if (id === undefined) {
      for (const listener of listeners.get(method) ?? []) listener(params);
      return;
    }
    const request = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) request?.resolve(result);
    else request?.reject(new Error(error.message));
  });
  socket.once("close", () => {
    for (const request of waiting.values()) request.reject(new Error("the inspector's connection ended"));
  });
  const callOf =
    (sessionId?: string) =>
    <T>(method: string, params: Record<string, unknown> = {}): Promise<T> => {
      lastId += 1;
      const request = Promise.withResolvers<unknown>();
      waiting.set(lastId, request);
      socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId !== undefined && { sessionId }) }));
      return request.promise as Promise<T>;
    };
  const on: Devtools["on"] = (event, listener) => {
    const eventListeners = listeners.get(event) ?? new Set();
    listeners.set(event, eventListeners.add(listener));
    return () => void eventListeners.delete(listener);
  };
  return { call: callOf(), on, session: (sessionId) => ({ call: callOf(sessionId) }), close: () => socket.terminate() };
}
