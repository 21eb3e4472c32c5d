import { operatorRoutes, STREAM_SILENCE_MS, StreamEvent, type LogLevel } from "@comanda/protocol";
import { createContext, useContext, useEffect } from "react";
import { createEventParser } from "./event-stream.ts";
import { addressOf } from "./hub-client.ts";
import { currentToken, expire, session } from "./session.ts";
import { createStore, useStore } from "@comanda/ui/store.ts";

/**
 * `partial`: the stream delivers what anybody may see and not what this manager's screens show. `since`: when this state
 * began, in ms since 1970; while it is not `live`, since when the screens are out of date.
 */
export interface Connection {
  state: "connecting" | "live" | "partial" | "lost";
  since: number;
}

const FLUSH_MS = 200;
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/** Follows the hub's stream: reconnects by itself with a growing pause, starts anew when the sign-in changes. */
export function createLive() {
  const connection = createStore<Connection>({ state: "connecting", since: Date.now() });
  const eventListeners = new Set<(events: readonly StreamEvent[]) => void>();
  const restartListeners = new Set<() => void>();
  let logs: LogLevel | null = null;
  let waiting: StreamEvent[] = [];
  let flushTimer: ReturnType<typeof setTimeout> | null = null;
  let attempt: AbortController | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | null = null;
  let wasLive = false;
  let lastEventAt: number | null = null;

  return {
    connection,
    /** Batches of events, at most five times a second. */
    onEvents: (listener: (events: readonly StreamEvent[]) => void) => subscribe(eventListeners, listener),
    /** The stream is back: what was read before may be out of date. */
    onRestart: (listener: () => void) => subscribe(restartListeners, listener),
    /** Streams log lines from this level up as well; null stops that. */
    followLogs(level: LogLevel | null) {
      if (level === logs) return;
      logs = level;
      reconnect();
    },
    start() {
      reconnect();
      let token = currentToken();
      const unsubscribe = session.subscribe(() => {
        if (currentToken() === token) return;
        token = currentToken();
        reconnect();
      });
      const online = () => reconnect();
      window.addEventListener("online", online);
      return () => {
        unsubscribe();
        window.removeEventListener("online", online);
        attempt?.abort();
        if (retryTimer !== null) clearTimeout(retryTimer);
      };
    },
  };

  function reconnect(): void {
    attempt?.abort();
    if (retryTimer !== null) clearTimeout(retryTimer);
    retryTimer = null;
    const current = new AbortController();
    attempt = current;
    void read(current).then((reason) => {
      if (attempt !== current) return;
      setState("lost");
      retryTimer = setTimeout(reconnect, reason === "ended" ? FIRST_RETRY_MS : retryMs);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    });
  }

  /** Reads one connection to its end. */
  async function read(current: AbortController): Promise<"ended" | "failed"> {
    const token = currentToken();
    let silence = setTimeout(() => current.abort(), STREAM_SILENCE_MS);
    try {
      const response = await fetch(
        addressOf(operatorRoutes.stream.path, { query: { logs: token === null ? null : logs } }),
        {
          headers: { Accept: "text/event-stream", ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
          signal: current.signal,
          cache: "no-store",
        },
      );
      if (response.status === 401 && token !== null) expire(token);
      if (!response.ok || response.body === null) return "failed";
      const parse = createEventParser((data) => handleEvent(data, token));
      const text = response.body.pipeThrough(new TextDecoderStream());
      for await (const chunk of text) {
        clearTimeout(silence);
        silence = setTimeout(() => current.abort(), STREAM_SILENCE_MS);
        parse(chunk);
      }
      return "ended";
    } catch {
      return "failed";
    } finally {
      clearTimeout(silence);
    }
  }

  function handleEvent(data: string, token: string | null): void {
    const event = StreamEvent.safeParse(readJson(data));
    if (!event.success) return;
    if (event.data.type === "hello") {
      retryMs = FIRST_RETRY_MS;
      const restarted = wasLive;
      wasLive = true;
      // Behind a new sign-in the screens of the former one stay.
      const isWhole = event.data.audience === "manager" || session.get().state === "out";
      setState(isWhole ? "live" : "partial");
      if (restarted) for (const listener of restartListeners) listener();
    }
    if (event.data.type === "signed_out" && token !== null) expire(token);
    lastEventAt = Date.now();
    waiting.push(event.data);
    flushTimer ??= setTimeout(flush, FLUSH_MS);
  }

  function flush(): void {
    flushTimer = null;
    const events = waiting;
    waiting = [];
    for (const listener of eventListeners) listener(events);
  }

  function setState(state: Connection["state"]): void {
    const before = connection.get();
    if (before.state === state) return;
    connection.set({ state, since: state === "live" ? Date.now() : outOfDateSince(before) });
  }

  /** The connection counts as lost from its last event, not from when that was noticed. */
  function outOfDateSince(before: Connection): number {
    return before.state === "live" ? (lastEventAt ?? before.since) : before.since;
  }
}

function subscribe<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const LiveContext = createContext(createLive());

export function useLive() {
  return useContext(LiveContext);
}

export function useConnection(): Connection {
  return useStore(useLive().connection);
}

/** Calls `handle` with every batch of events while the component is shown. */
export function useLiveEvents(handle: (events: readonly StreamEvent[]) => void): void {
  const live = useLive();
  useEffect(() => live.onEvents(handle), [live, handle]);
}
