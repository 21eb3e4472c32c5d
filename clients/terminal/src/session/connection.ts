import {
  AUTH_WITHIN_MS,
  CloseCode,
  type HubMessage,
  type HubMessageOf,
  type TerminalMessageInput,
} from "@comanda/protocol";
import type { Schemas } from "../schemas.ts";
import type { TerminalWorld } from "../world.ts";
import { endReasonOf, type EndReason } from "./end-reason.ts";
import type { Hello } from "./hello.ts";
import { openHubSocket, type HubSocket } from "./hub-socket.ts";
import { createReconnection } from "./reconnection.ts";
import type { OpenSocket } from "./socket.ts";

export type ConnectionState =
  | { name: "stopped" }
  | { name: "connecting" }
  /** AUTH_OK has arrived; the shared state is being transferred. */
  | { name: "authenticated" }
  /** The shared state is complete. */
  | { name: "online" }
  | { name: "waiting"; retryInMs: number; reason: string }
  /** The terminal does not reconnect by itself; call `start`. */
  | {
      name: "ended";
      reason: EndReason;
      error: string;
      /** The required version, after "client too old". */
      minClientVersion?: string;
    };

/** Receives the hub's messages. */
export interface Receiver {
  authenticated(answer: HubMessageOf<"AUTH_OK">, sentAt: number): void;
  message(message: HubMessage): void;
  /** The connection is lost. A new one follows unless the state is "stopped" or "ended". */
  lost(): void;
}

interface ConnectionDeps {
  url(): Promise<string>;
  hello: Hello;
  token: string;
  /** Called when the hub refuses the token. Resolves with null if the user has to sign in first. */
  renewToken(refusedToken: string): Promise<string | null>;
  openSocket: OpenSocket;
  world: TerminalWorld;
  schemas: Schemas;
  events: Receiver & {
    state(state: ConnectionState): void;
    /** The hub sent a newer token of this session. */
    token(token: string): void;
    /** A message that this version cannot read. */
    unreadable(problem: unknown): void;
  };
}

export type Connection = ReturnType<typeof createConnection>;

/** Keeps a session with the hub: connects, sends AUTH, and reconnects after a loss. */
export function createConnection(deps: ConnectionDeps) {
  const { world, hello, events } = deps;
  let token = deps.token;
  let state: ConnectionState = { name: "stopped" };
  let socket: HubSocket | null = null;
  let authFailure: HubMessageOf<"AUTH_FAILED"> | null = null;
  let connectsSince = 0;
  const waits = (retryInMs: number, reason: string) => enter({ name: "waiting", retryInMs, reason });
  const reconnection = createReconnection({ world, waits, connect });
  const hasSession = () => state.name === "authenticated" || state.name === "online";

  return {
    state: (): ConnectionState => state,
    start(): void {
      if (state.name === "connecting" || hasSession()) return;
      reconnection.startOver();
      connect();
    },
    stop(): void {
      socket?.close(1000, "the terminal was stopped");
      lose();
      if (state.name !== "stopped") enter({ name: "stopped" });
    },
    /** Returns false if there is no authenticated session. */
    send(message: TerminalMessageInput): boolean {
      if (socket === null || !hasSession()) return false;
      socket.send(message);
      return true;
    },
    /** Connects at once instead of waiting. Returns whether there is a session to check. */
    wake(): boolean {
      if (state.name === "waiting") connect();
      if (!hasSession()) return false;
      socket?.expectSoon();
      return true;
    },
    /** Marks the shared state as complete. */
    synced(): void {
      if (state.name !== "authenticated") return;
      reconnection.startOver();
      enter({ name: "online" });
    },
    token: () => token,
    useToken(newToken: string): void {
      token = newToken;
    },
  };

  function connect(): void {
    reconnection.cancel();
    authFailure = null;
    connectsSince = world.clock.now();
    socket = openHubSocket({
      url: deps.url,
      openSocket: deps.openSocket,
      world,
      schemas: deps.schemas,
      hello: () => hello.message(token),
      events: { message: receive, unreadable: events.unreadable, closed },
    });
    enter({ name: "connecting" });
  }

  function receive(message: HubMessage, helloSentAt: number): void {
    if (message.type === "AUTH_FAILED") authFailure = message;
    else if (message.type === "AUTH_OK") authenticated(message, helloSentAt);
    else if (message.type === "TOKEN_CHANGED") adoptToken(message.token);
    else events.message(message);
  }

  function authenticated(answer: HubMessageOf<"AUTH_OK">, helloSentAt: number): void {
    hello.isAt(answer.hubId);
    socket?.expectEvery(answer.heartbeatMs);
    enter({ name: "authenticated" });
    events.authenticated(answer, helloSentAt);
    if (answer.token !== undefined) adoptToken(answer.token);
  }

  function adoptToken(newToken: string): void {
    token = newToken;
    events.token(newToken);
  }

  function closed(code: number, reason: string): void {
    lose();
    const error = authFailure?.error ?? (reason || `the connection was closed (${code})`);
    // If the device slept or the line is slow, the hub closes for lack of AUTH, not for a bad token, which it refuses at once.
    const isLate = state.name === "connecting" && world.clock.now() - connectsSince >= AUTH_WITHIN_MS;
    if (code === CloseCode.unauthenticated && !isLate) return renewToken(error);
    const end = endReasonOf(code, authFailure);
    const comesBack = end === null || (end === "device taken" && hello.hasOtherKey(authFailure?.hubId));
    if (comesBack) return reconnection.begin(error);
    const minClientVersion = authFailure?.minClientVersion;
    enter({ name: "ended", reason: end, error, ...(minClientVersion !== undefined && { minClientVersion }) });
  }

  /** Drops the connection and cancels a scheduled one. */
  function lose(): void {
    reconnection.cancel();
    socket = null;
    events.lost();
  }

  function renewToken(error: string): void {
    const waiting: ConnectionState = { name: "waiting", retryInMs: 0, reason: error };
    enter(waiting);
    deps.renewToken(token).then(
      (renewed) => {
        if (state !== waiting) return;
        if (renewed === null) return enter({ name: "ended", reason: "unauthenticated", error });
        token = renewed;
        reconnection.begin(error);
      },
      (failure: unknown) => {
        if (state === waiting) reconnection.begin(String(failure));
      },
    );
  }

  function enter(next: ConnectionState): void {
    state = next;
    events.state(next);
  }
}
