import {
  BATCH_CAPABILITY,
  CloseCode,
  OFFERS_CAPABILITY,
  PROPOSALS_CAPABILITY,
  type HubMessage,
  PROTOCOL_VERSION,
  type HubMessageOf,
  type OutboxReport,
  type Since,
  type TerminalMessageInput,
} from "@comanda/protocol";
import type { Schemas } from "../schemas.ts";
import type { TerminalWorld } from "../world.ts";
import { backoffMs, reconnectBackoff } from "../pace/backoff.ts";
import type { OpenSocket, TerminalSocket } from "./socket.ts";

/** How long a connection may take to AUTH_OK. */
const CONNECT_WITHIN_MS = 15_000;
/** How long the answer to a check of the connection may take. */
const CHECK_WITHIN_MS = 3_000;
/** Our own close code for a hub that is silent or unreadable. */
const HUB_SILENT = 4000;

export type EndReason =
  | "replaced"
  | "unauthenticated"
  | "forbidden"
  /** Another person's terminal: that person or a manager signs in here, or a manager removes the device from the hub. */
  | "device taken"
  /** This user or address has brought too many new devices within an hour: a manager signs in here, or it is tried later. */
  | "too many devices"
  | "protocol too old"
  | "client too old";

export type ConnectionState =
  | { name: "stopped" }
  | { name: "connecting" }
  /** AUTH_OK has arrived; the shared state is on its way. */
  | { name: "authenticated" }
  /** The shared state is complete. */
  | { name: "online" }
  | { name: "waiting"; retryInMs: number; reason: string }
  /** It does not reconnect by itself: `start` does. */
  | {
      name: "ended";
      reason: EndReason;
      error: string;
      /** The version that is needed, after "client too old". */
      minClientVersion?: string;
    };

export interface ConnectionDeps {
  url(): Promise<string>;
  deviceId: string;
  token: string;
  clientVersion: string;
  /** The key by which a hub knows this device; by default of the hub that it was on last. */
  deviceKey(hubId?: string): string | undefined;
  /** Called when the hub refuses the token; null when the user has to sign in first. */
  renewToken(refusedToken: string): Promise<string | null>;
  openSocket: OpenSocket;
  world: TerminalWorld;
  schemas: Schemas;
  since(): Since | undefined;
  outbox(): OutboxReport;
  clientTime(): string;
  events: {
    state(state: ConnectionState): void;
    authenticated(answer: HubMessageOf<"AUTH_OK">, sentAt: number): void;
    /** The hub sent a newer token of this session. */
    token(token: string): void;
    message(message: HubMessage): void;
    /** The connection is lost; a new one follows unless the state is "stopped" or "ended". */
    lost(): void;
    /** A message that this version cannot read. */
    unreadable(problem: unknown): void;
  };
}

/** Keeps a session with the hub: connects, sends AUTH, notices a silent hub, and reconnects. */
export function createConnection(deps: ConnectionDeps) {
  const { world, events, deviceId } = deps;
  let token = deps.token;
  let state: ConnectionState = { name: "stopped" };
  let attempt = 0;
  /** Rises with every connection: events of older ones are ignored. */
  let generation = 0;
  let socket: TerminalSocket | null = null;
  let heartbeatMs = 20_000;
  let authFailure: HubMessageOf<"AUTH_FAILED"> | null = null;
  let shownKey: string | undefined;
  /** The hub on the other side, once it is known. */
  let hubId: string | undefined;
  let cancelTimer = () => {};
  let cancelWatch = () => {};

  return {
    state: (): ConnectionState => state,
    start(): void {
      if (state.name !== "stopped" && state.name !== "ended" && state.name !== "waiting") return;
      attempt = 0;
      connect();
    },
    stop(): void {
      leave(1000, "the terminal was stopped");
      if (state.name !== "stopped") enter({ name: "stopped" });
    },
    /** False when there is no authenticated session. */
    send(message: TerminalMessageInput): boolean {
      if (socket === null || (state.name !== "authenticated" && state.name !== "online")) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    /** Connects at once instead of waiting; answers whether there is a session to check. */
    wake(): boolean {
      if (state.name === "waiting") connect();
      if (state.name !== "authenticated" && state.name !== "online") return false;
      // What the hub sends next sets the usual time again.
      watch(CHECK_WITHIN_MS);
      return true;
    },
    /** The shared state is complete. */
    synced(): void {
      if (state.name !== "authenticated") return;
      attempt = 0;
      enter({ name: "online" });
    },
    token: () => token,
    useToken(newToken: string): void {
      token = newToken;
    },
  };

  function connect(): void {
    cancelTimer();
    const own = ++generation;
    authFailure = null;
    enter({ name: "connecting" });
    watch(CONNECT_WITHIN_MS);
    deps.url().then(
      (url) => own === generation && open(url, own),
      (error: unknown) => own === generation && closed(1006, String(error)),
    );
  }

  function open(url: string, own: number): void {
    let sentAt = 0;
    try {
      socket = deps.openSocket(url, {
        opened() {
          if (own !== generation) return;
          sentAt = world.clock.monotonic();
          socket?.send(JSON.stringify(authMessage()));
        },
        received(text) {
          if (own !== generation) return;
          watch(2 * heartbeatMs);
          for (const message of readFrame(text)) if (own === generation) receive(message, sentAt);
        },
        closed: (code, reason) => own === generation && closed(code, reason),
      });
    } catch (error) {
      closed(1006, String(error));
    }
  }

  function authMessage(): TerminalMessageInput {
    const since = deps.since();
    shownKey = deps.deviceKey(hubId ?? since?.hubId);
    return {
      type: "AUTH",
      token,
      deviceId,
      protocolVersion: PROTOCOL_VERSION,
      clientVersion: deps.clientVersion,
      clientTime: deps.clientTime(),
      caps: [BATCH_CAPABILITY, OFFERS_CAPABILITY, PROPOSALS_CAPABILITY],
      outbox: deps.outbox(),
      ...(shownKey === undefined ? {} : { deviceKey: shownKey }),
      ...(since === undefined ? {} : { since }),
    };
  }

  function readFrame(text: string): HubMessage[] {
    try {
      const frame: unknown = JSON.parse(text);
      return (Array.isArray(frame) ? frame : [frame]).flatMap(readMessage);
    } catch (error) {
      events.unreadable(error);
      return [];
    }
  }

  function readMessage(value: unknown): HubMessage[] {
    const { message, problems } = deps.schemas.readMessage(value);
    for (const problem of problems) events.unreadable(problem);
    if (message !== null) return [message];
    // Without the hub's state the terminal cannot work.
    if (JSON.stringify(value).startsWith('{"type":"SYNC"')) renew("the hub's state could not be read");
    return [];
  }

  function receive(message: HubMessage, sentAt: number): void {
    if (message.type === "AUTH_FAILED") {
      authFailure = message;
      return;
    }
    if (message.type === "AUTH_OK") {
      heartbeatMs = message.heartbeatMs;
      ({ hubId } = message);
      watch(2 * heartbeatMs);
      enter({ name: "authenticated" });
      events.authenticated(message, sentAt);
      if (message.token !== undefined) adoptToken(message.token);
      return;
    }
    if (message.type === "TOKEN_CHANGED") return adoptToken(message.token);
    events.message(message);
  }

  function adoptToken(newToken: string): void {
    token = newToken;
    events.token(newToken);
  }

  function renew(reason: string): void {
    leave(HUB_SILENT, reason);
    retry(reason);
  }

  /** A hub that is silent for `ms` counts as lost, even if the socket is open. */
  function watch(ms: number): void {
    cancelWatch();
    cancelWatch = world.timers.after(ms, () => renew("the hub is silent"));
  }

  function closed(code: number, reason: string): void {
    socket = null;
    leave(1000, "");
    const error = authFailure?.error ?? (reason || `the connection was closed (${code})`);
    switch (code) {
      case CloseCode.replaced:
        return end("replaced", error);
      case CloseCode.forbidden:
        return refused(error);
      case CloseCode.protocolTooOld:
        return authFailure?.errorCode === "CLIENT_TOO_OLD"
          ? end("client too old", error, authFailure.minClientVersion)
          : end("protocol too old", error);
      case CloseCode.unauthenticated:
        return renewToken(error);
      default:
        return retry(error);
    }
  }

  function refused(error: string): void {
    const code = authFailure?.errorCode;
    if (code === "DEVICE_TAKEN") return showOtherKey(error);
    end(code === "RATE_LIMITED" ? "too many devices" : "forbidden", error);
  }

  /** The address may lead to another hub than last time, for which this device may have a key. */
  function showOtherKey(error: string): void {
    hubId = authFailure?.hubId ?? hubId;
    const key = deps.deviceKey(hubId);
    if (key === undefined || key === shownKey) end("device taken", error);
    else retry(error);
  }

  /** Ends the present connection and ignores its later events. */
  function leave(code: number, reason: string): void {
    generation += 1;
    cancelTimer();
    cancelWatch();
    const left = socket;
    socket = null;
    left?.close(code, reason);
    events.lost();
  }

  function renewToken(error: string): void {
    const own = generation;
    const refused = token;
    enter({ name: "waiting", retryInMs: 0, reason: error });
    deps.renewToken(refused).then(
      (renewed) => {
        if (own !== generation) return;
        if (renewed === null) return end("unauthenticated", error);
        token = renewed;
        retry(error);
      },
      (failure: unknown) => own === generation && retry(String(failure)),
    );
  }

  function retry(reason: string): void {
    const retryInMs = backoffMs(reconnectBackoff, attempt, world.random());
    attempt += 1;
    enter({ name: "waiting", retryInMs, reason });
    cancelTimer = world.timers.after(retryInMs, connect);
  }

  function end(reason: EndReason, error: string, minClientVersion?: string): void {
    enter({ name: "ended", reason, error, ...(minClientVersion === undefined ? {} : { minClientVersion }) });
  }

  function enter(next: ConnectionState): void {
    state = next;
    events.state(next);
  }
}
