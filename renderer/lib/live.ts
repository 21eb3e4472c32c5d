import { operatorRoutes, STREAM_SILENCE_MS, StreamEvent } from "@comanda/protocol";
import { createEventParser } from "./event-stream.ts";
import { parseJson } from "./parse-json.ts";
import { currentToken, expireSession, session } from "./session.ts";
import { createStore, useStore } from "@comanda/ui/store.ts";
import { followHubTime, hubTime } from "./hub-time.ts";

/**
 * `partial`: the stream delivers public data, but not what this manager's screens show. `since`: when this state began, in ms
 * since 1970. In any state but `live`, the screens are out of date since then.
 */
export interface Connection {
  state: "connecting" | "live" | "partial" | "lost";
  since: number;
}

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 10_000;

/** The reads that the stream says to repeat. */
export type Changed = Pick<Extract<StreamEvent, { type: "changed" }>, "topics" | "orders">;

const connection = createStore<Connection>({ state: "connecting", since: hubTime() });

interface StreamListeners {
  onChanged: (changed: Changed) => void;
  /** Called when the stream starts, first or again: data read before may be out of date. */
  onStart: (isFirst: boolean) => void;
}

/** Follows the hub's stream: reconnects by itself with a growing pause, and restarts when the sign-in changes. */
export function followStream({ onChanged, onStart }: StreamListeners): () => void {
  let attempt: AbortController | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let wasLive = false;
  let lastEventAt: number | null = null;

  reconnect();
  let followed = currentToken();
  const unsubscribe = session.subscribe(() => {
    if (currentToken() === followed) return;
    followed = currentToken();
    reconnect();
  });
  window.addEventListener("online", reconnect);
  return () => {
    unsubscribe();
    window.removeEventListener("online", reconnect);
    attempt?.abort();
    clearTimeout(retryTimer);
  };

  function reconnect(): void {
    attempt?.abort();
    clearTimeout(retryTimer);
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
      const response = await fetch(operatorRoutes.stream.path, {
        headers: { Accept: "text/event-stream", ...(token === null ? {} : { Authorization: `Bearer ${token}` }) },
        signal: current.signal,
        cache: "no-store",
      });
      followHubTime(response);
      if (response.status === 401 && token !== null) expireSession(token);
      if (!response.ok || response.body === null) return "failed";
      const parse = createEventParser((data) => handleEvent(data, token));
      const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let chunk = await text.read(); !chunk.done; chunk = await text.read()) {
        clearTimeout(silence);
        silence = setTimeout(() => current.abort(), STREAM_SILENCE_MS);
        parse(chunk.value);
      }
      return "ended";
    } catch {
      return "failed";
    } finally {
      clearTimeout(silence);
    }
  }

  function handleEvent(data: string, token: string | null): void {
    const { data: event } = StreamEvent.safeParse(parseJson(data));
    if (event === undefined) return;
    lastEventAt = hubTime();
    if (event.type === "hello") {
      retryMs = FIRST_RETRY_MS;
      const isFirst = !wasLive;
      wasLive = true;
      // While an expired session waits for a new sign-in, its screens stay, but the stream carries only public data.
      const isWhole = event.audience === "manager" || session.get().state === "out";
      setState(isWhole ? "live" : "partial");
      onStart(isFirst);
    }
    if (event.type === "signed_out" && token !== null) expireSession(token);
    if (event.type === "changed") onChanged(event);
  }

  function setState(state: Connection["state"]): void {
    const before = connection.get();
    if (before.state === state) return;
    connection.set({ state, since: state === "live" ? hubTime() : outOfDateSince(before) });
  }

  /** The connection counts as lost since its last event, not since the loss was noticed. */
  function outOfDateSince(before: Connection): number {
    return before.state === "live" ? (lastEventAt ?? before.since) : before.since;
  }
}

export function useConnection(): Connection {
  return useStore(connection);
}
