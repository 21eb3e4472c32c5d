import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CloseCode, hubLimits, terminalLimits, type HubMessage } from "@comanda/protocol";
import { WebSocketServer, type RawData, type ServerOptions, type WebSocket } from "ws";
import { AuthRefused } from "./sign-in/auth-refused.ts";
import { createBroadcaster } from "./broadcasts/broadcaster.ts";
import { limitUnidentified } from "./sessions/early-messages.ts";
import { createSessionEndings } from "./sessions/end-sessions.ts";
import { createNewcomers } from "./sessions/newcomers.ts";
import { createMessageReceiver } from "./receive-messages.ts";
import { createTerminalMemory } from "./sessions/remember-terminal.ts";
import { createSessionRegistry } from "./sessions/session-registry.ts";
import { createSignIn } from "./sign-in/sign-in.ts";
import { createSilenceWatch } from "./sessions/silence-watch.ts";
import { createSyncSender } from "./sync/sync-sender.ts";
import type { TerminalDeps } from "./terminal-deps.ts";
import { createTerminalSession, type TerminalSession } from "./sessions/terminal-session.ts";

export type TerminalServer = ReturnType<typeof createTerminalServer>;

/** A peer that does not answer the close within this time is cut off. */
const CLOSE_WAIT_MS = 1_000;

/** The WebSocket connections of the terminals: accepts them, dispatches their messages and ends them. */
export function createTerminalServer(deps: TerminalDeps) {
  const { world, changes, terminalStore, people } = deps;
  const { clock, timers } = world;
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: terminalLimits.frameBytes,
    clientTracking: false,
    closeTimeout: CLOSE_WAIT_MS,
  } as ServerOptions);
  // The port answers invalid handshakes, as it does every other refusal.
  server.on("wsClientError", () => {});
  let hasEnded = false;
  const isStopping = (): boolean => hasEnded;
  let connections = 0;

  const sessions = createSessionRegistry();
  const newcomers = createNewcomers();
  const broadcaster = createBroadcaster(world, sessions.all, deps.sync.sign);
  const remember = createTerminalMemory({ world, changes, terminalStore, people });
  const endings = createSessionEndings({ ...deps, sessions, newcomers, broadcaster, remember, isStopping });
  const { refuse, leave } = endings;
  const syncs = createSyncSender(deps, broadcaster);
  const silenceWatch = createSilenceWatch({
    world,
    heartbeatMs: deps.config.heartbeatMs,
    sessions: sessions.all,
    leave,
  });
  const signIn = createSignIn({ deps, sessions, broadcaster, syncs, isStopping, onActive: newcomers.remove });
  const receive = createMessageReceiver({ ...deps, signIn, syncs, broadcaster, endings, remember });

  function accept(socket: WebSocket, line: Duplex, address: string): void {
    connections += 1;
    const session: TerminalSession = createTerminalSession({
      socket,
      address,
      ordinal: connections,
      now: clock.monotonic(),
      onDrained: () => syncs.catchUp(session),
    });
    sessions.add(session);
    newcomers.add(session);
    limitUnidentified(session, line);
    const authTimer = timers.setTimeout(
      () => refuse(session, new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "no AUTH within 10 s")),
      hubLimits.authWithinMs,
    );
    socket.on("message", (data, isBinary) => {
      session.noteReceived(clock.monotonic());
      if (isBinary) session.close(CloseCode.unsupportedData, "text frames only");
      else receive(session, textOf(data), authTimer);
    });
    socket.on("close", () => {
      timers.clearTimeout(authTimer);
      leave(session);
    });
    socket.on("pong", () => session.ponged(clock.monotonic()));
    socket.on("error", (error) => world.log.debug({ err: error, address }, "a terminal's connection failed"));
  }

  return {
    announce: broadcaster.announce,
    sendToAll: broadcaster.sendToAll,
    start: silenceWatch.start,
    /** Accepts a connection, or returns why not: no place is free, or the request is not a valid handshake. */
    upgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
    ): "taken" | "400 Bad Request" | "503 Service Unavailable" {
      const address = deps.peerOf(request);
      const place = newcomers.placeFor(address);
      if (isStopping() || place === "full") return "503 Service Unavailable";
      let verdict: "taken" | "400 Bad Request" = "400 Bad Request";
      // The callback runs synchronously.
      server.handleUpgrade(request, socket, head, (client) => {
        verdict = "taken";
        if (place !== "free") refuse(place.drop, tooManyNewcomers());
        accept(client, socket, address);
      });
      return verdict;
    },
    connected: sessions.connected,
    /** Returns a connected terminal, or null if it is not connected. */
    find: sessions.find,
    count: sessions.count,
    disconnect: endings.disconnect,
    dismiss: endings.dismiss,
    endSignedOut: endings.endSignedOut,
    endForgotten: endings.endForgotten,
    /** Sends one terminal a message, after the messages already queued for it. */
    send: (session: TerminalSession, message: HubMessage): void => broadcaster.answer(session, message),
    /** Closes every connection and waits until they are closed, at most a second. */
    async stop(): Promise<void> {
      hasEnded = true;
      silenceWatch.stop();
      broadcaster.stop();
      const closing = [...sessions.all].map(
        (session) => new Promise<void>((resolve) => session.socket.once("close", () => resolve())),
      );
      for (const session of sessions.all) session.close(CloseCode.goingAway, "the hub is going down");
      await Promise.all(closing);
      await syncs.idle();
      server.close();
    },
  };
}

function tooManyNewcomers(): AuthRefused {
  const sentence = "too many connections of this address have not signed in; try again in a moment";
  return new AuthRefused("RATE_LIMITED", CloseCode.tryAgainLater, sentence);
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data)
    ? data.toString("utf8")
    : Array.isArray(data)
      ? Buffer.concat(data).toString("utf8")
      : Buffer.from(data).toString("utf8");
}
