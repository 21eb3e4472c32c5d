import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
  Auth,
  BATCH_CAPABILITY,
  CloseCode,
  OFFERS_CAPABILITY,
  PROTOCOL_VERSION,
  terminalLimits,
  type HubMessage,
  type Since,
} from "@comanda/protocol";
import { WebSocketServer, type RawData, type ServerOptions, type WebSocket } from "ws";
import type { Identified } from "../back-office/identities.ts";
import type { Listener } from "../changes/change.ts";
import { describeIssues } from "../platform/describe-issues.ts";
import { isoTime } from "../platform/world.ts";
import { admitDevice } from "./admit-device.ts";
import { handleMessage, refusalOf, rememberTerminal } from "./handle-message.ts";
import { createTurns } from "./in-turn.ts";
import { createMembershipNews } from "./membership-news.ts";
import { createMessageBudget } from "./message-budget.ts";
import { createNewcomers } from "./newcomers.ts";
import { readMessage } from "./read-message.ts";
import { AuthRefused, signInTerminal } from "./sign-in-terminal.ts";
import { createTerminalClock } from "./terminal-clock.ts";
import { noSession, type TerminalDeps } from "./terminal-room.ts";
import {
  createTerminalSession,
  shareFrames,
  takesBatches,
  type ActiveTerminal,
  type EarlyMessages,
  type TerminalSession,
} from "./terminal-session.ts";
import { newsOf, serialize, type News } from "./wire.ts";

export type TerminalServer = ReturnType<typeof createTerminalServer>;

/** A terminal that is signed in, and its connection. */
export interface ConnectedTerminal {
  session: TerminalSession;
  active: ActiveTerminal;
}

const TICK_MS = 500;
/** What a client may send before it was told that it is in. */
const EARLY_MESSAGES = 256;
const EARLY_BYTES = 4 * 1024 * 1024;
/** The same before the hub knows who it is. */
const UNIDENTIFIED_BYTES = 64 * 1024;
/** Before the content of a frame. */
const FRAME_HEADER_BYTES = 14;
/** A peer that does not answer the close is cut off. */
const CLOSE_WAIT_MS = 1_000;

/** The terminals' edge: every WebSocket session, and the one place from which news is sent. */
export function createTerminalServer(room: TerminalDeps) {
  const { world } = room;
  const { clock, timers } = world;
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: terminalLimits.frameBytes,
    clientTracking: false,
    closeTimeout: CLOSE_WAIT_MS,
  } as ServerOptions);
  const sessions = new Set<TerminalSession>();
  const newcomers = createNewcomers();
  const byTerminal = new Map<string, TerminalSession>();
  const catchingUp = new Set<TerminalSession>();
  /** Whoever signs in second at a device must see whom the first made it belong to. */
  const inTurn = createTurns();
  /** The sessions with an answer that waits for the next flush. */
  const answering = new Set<TerminalSession>();
  const membership = createMembershipNews(world, (items) => items.forEach(tell));
  /** Counts sign-ins: a terminal hears nothing of what was before its own. */
  let arrivals = 0;
  let news: News[] = [];
  let flushScheduled = false;
  let tickTimer: NodeJS.Timeout | undefined;
  let lastTickAt = clock.monotonic();
  let stopping = false;
  let connections = 0;

  // --- sending ---

  /** After the answers that this commit still brings: they share the frame with its news. */
  function scheduleFlush(): void {
    if (flushScheduled) return;
    flushScheduled = true;
    queueMicrotask(() => process.nextTick(flush));
  }

  function flush(): void {
    flushScheduled = false;
    const flushed = news;
    news = [];
    const shared = shareFrames(flushed);
    for (const session of flushed.length > 0 ? sessions : answering) session.flush(flushed, shared);
    answering.clear();
  }

  function tell(item: Partial<News> & { text: string }): void {
    news.push({ seq: null, except: null, only: null, upTo: null, ...item });
    scheduleFlush();
  }

  /** Tells of a terminal those that were here before it. */
  function tellMembership(
    type: "TERMINAL_JOINED" | "TERMINAL_LEFT",
    { terminalId, identity, arrival }: ActiveTerminal,
  ): void {
    const text = serialize({ type, terminalId, userName: identity.userName });
    membership.add(terminalId, { text, upTo: type === "TERMINAL_JOINED" ? arrival - 1 : arrivals });
  }

  /** Tells the others something of a terminal, behind that it has come. */
  function tellOthers({ terminalId }: ActiveTerminal, message: HubMessage): void {
    const text = serialize(message);
    if (membership.isHolding(terminalId)) membership.add(terminalId, { text, upTo: arrivals, except: terminalId });
    else tell({ text, except: terminalId });
  }

  function answer(session: TerminalSession, message: HubMessage, requestId?: string): void {
    session.answer(JSON.stringify(requestId === undefined ? message : { ...message, requestId }));
    answering.add(session);
    scheduleFlush();
  }

  /** Sends the pages of a SYNC; what is committed from here on follows them. */
  function sendSync(session: TerminalSession, since: Since | undefined, requestId?: string): Promise<void> {
    return room.changes.read(() => {
      if (session.state.kind !== "active") return;
      const { seq, pages } = room.sync.build(since, requestId);
      session.flush([], shareFrames([]));
      for (const page of pages) session.send(page);
      session.state.active.seq = seq;
      session.state.active.isBehind = false;
      session.state.active.isSynced = true;
    });
  }

  /** A terminal that has not yet read what it was sent gets its SYNC when it has. */
  async function resync(session: TerminalSession, since: Since | undefined, requestId?: string): Promise<void> {
    await room.noteLossSeenBy(since);
    if (session.state.kind === "active" && session.isFull()) {
      session.state.active.isBehind = true;
      session.state.active.resync = { since, requestId };
      return;
    }
    await sendSync(session, since, requestId);
  }

  function catchUp(session: TerminalSession): void {
    if (session.state.kind !== "active" || catchingUp.has(session)) return;
    const { active } = session.state;
    const { since, requestId } = active.resync ?? { since: { ...room.sync.identity(), seq: active.seq } };
    active.resync = null;
    catchingUp.add(session);
    sendSync(session, since, requestId)
      .then(() => {
        answer(session, room.status());
        answer(session, { type: "SESSION_CHANGED", session: room.pos.session() ?? noSession });
      })
      .catch((error: unknown) => {
        world.log.error({ err: error }, "a terminal that fell behind could not be brought up to date");
        session.socket.terminate();
      })
      .finally(() => catchingUp.delete(session));
  }

  // --- receiving ---

  function accept(socket: WebSocket, line: Duplex, address: string): void {
    connections += 1;
    const session: TerminalSession = createTerminalSession({
      socket,
      address,
      ordinal: connections,
      now: clock.monotonic(),
      onDrained: () => catchUp(session),
    });
    sessions.add(session);
    newcomers.add(session);
    limitUnidentified(session, line);
    const authTimer = timers.setTimeout(
      () => refuse(session, new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "no AUTH within 10 s")),
      terminalLimits.authWithinMs,
    );
    socket.on("message", (data, isBinary) => {
      session.heard(clock.monotonic());
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

  /** Whoever has not signed in may not make this hub hold much, nor by a frame that never ends. */
  function limitUnidentified(session: TerminalSession, line: Duplex): void {
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      switch (session.state.kind) {
        case "awaiting-auth":
          if (bytes > terminalLimits.authFrameBytes + FRAME_HEADER_BYTES) refuseFrame(session);
          return;
        case "identifying":
          if (bytes > terminalLimits.authFrameBytes + UNIDENTIFIED_BYTES) endFlood(session, session.state.early);
          return;
        case "active":
        case "gone":
          line.off("data", count);
      }
    };
    line.on("data", count);
  }

  function refuseFrame(session: TerminalSession): void {
    session.close(CloseCode.messageTooBig, `at most ${terminalLimits.authFrameBytes} bytes before AUTH`);
    session.socket.pause();
  }

  function endFlood(session: TerminalSession, early: EarlyMessages): void {
    early.texts.length = 0;
    session.close(CloseCode.policyViolation, "wait for AUTH_OK");
    session.socket.pause();
  }

  function receive(session: TerminalSession, text: string, authTimer: NodeJS.Timeout): void {
    // What comes after the goodbye could not be answered any more: its sender still has it.
    if (session.socket.readyState !== session.socket.OPEN) return;
    switch (session.state.kind) {
      case "awaiting-auth":
        timers.clearTimeout(authTimer);
        if (Buffer.byteLength(text) > terminalLimits.authFrameBytes) {
          refuseFrame(session);
          return;
        }
        signIn(session, text).catch((error: unknown) => refuse(session, error));
        return;
      case "identifying":
        holdBack(session, session.state.early, text, UNIDENTIFIED_BYTES);
        return;
      case "active":
        if (session.state.active.isSynced) void handle(session, session.state.active, text);
        else holdBack(session, session.state.active.early, text, EARLY_BYTES);
        return;
      case "gone":
        return;
    }
  }

  function holdBack(session: TerminalSession, early: EarlyMessages, text: string, maxBytes: number): void {
    early.texts.push(text);
    early.bytes += text.length;
    if (early.texts.length <= EARLY_MESSAGES && early.bytes <= maxBytes) return;
    endFlood(session, early);
  }

  async function handle(session: TerminalSession, active: ActiveTerminal, text: string): Promise<void> {
    const read = readMessage(text, active.budget.admits);
    if ("problem" in read) {
      answer(session, read.problem);
      if (active.budget.isOverrun()) endOverrun(session);
      return;
    }
    const { message } = read;
    world.log.trace({ terminalId: active.terminalId, type: message.type }, "message");
    try {
      const reply = await handleMessage(room, session, active, message, {
        resync: (since, requestId) => resync(session, since, requestId),
        tellOthers: (told) => tellOthers(active, told),
      });
      if (reply !== null) answer(session, reply, message.requestId);
    } catch (error) {
      answer(session, refusalOf(room, message, error), message.requestId);
    }
  }

  /** A terminal that goes on although it is refused. */
  function endOverrun(session: TerminalSession): void {
    if (session.socket.readyState !== session.socket.OPEN) return;
    session.close(CloseCode.policyViolation, "too many messages");
    session.socket.pause();
  }

  async function signIn(session: TerminalSession, text: string): Promise<void> {
    const auth = readAuth(text);
    session.state = { kind: "identifying", early: { texts: [], bytes: 0 } };
    const identified = await signInTerminal(room, auth, session.address);
    await room.noteLossSeenBy(auth.since);
    await inTurn(auth.deviceId, () => letIn(session, auth, identified));
  }

  async function letIn(session: TerminalSession, auth: Auth, identified: Identified): Promise<void> {
    const { state } = session;
    // The socket may have closed, or the hub stopped, while the back-office was asked.
    if (state.kind !== "identifying" || !canAnswer(session)) return;
    const { early } = state;
    const older = byTerminal.get(auth.deviceId);
    if (older !== undefined && older.ordinal > session.ordinal) {
      replace(session);
      return;
    }
    const now = clock.now();
    const active: ActiveTerminal = {
      terminalId: auth.deviceId,
      token: identified.newToken ?? auth.token,
      identity: identified.identity,
      offline: identified.offline,
      clientVersion: auth.clientVersion ?? null,
      protocolVersion: auth.protocolVersion,
      connectedAt: now,
      clock: createTerminalClock(clock, auth.clientTime, room.terminals.get(auth.deviceId)?.clockOffsetMs ?? null),
      outbox: auth.outbox,
      presence: {},
      budget: createMessageBudget(clock.monotonic, room.config.mutationRateMax),
      takesBatches: false,
      seq: 0,
      isBehind: false,
      isSynced: false,
      arrival: Infinity,
      early,
      resync: null,
    };
    const deviceKey = await admitDevice(room, {
      active,
      address: session.address,
      shownKey: auth.deviceKey,
      present: older?.state.kind === "active" ? older.state.active.identity : null,
    });
    if (session.state !== state || !canAnswer(session)) return;
    const present = byTerminal.get(auth.deviceId);
    const isNew = present === undefined;
    // Another connection of the same device goes on where that one was.
    const place = present?.state.kind === "active" ? present.state.active.arrival : Infinity;
    if (present !== undefined) replace(present);
    byTerminal.set(active.terminalId, session);
    room.onTerminal(isNew ? "joined" : "replaced", active);
    session.state = { kind: "active", active };
    newcomers.remove(session);
    room.leases.connect(active.terminalId);
    const { hubId, epoch } = room.sync.identity();
    const { user, offline } = { user: identified.identity, offline: identified.offline };
    answer(
      session,
      {
        type: "AUTH_OK",
        terminalId: active.terminalId,
        user: { id: user.userId, name: user.userName, role: user.role, permissions: user.permissions },
        ...(deviceKey !== null && { deviceKey }),
        session: room.pos.session() ?? noSession,
        hubId,
        epoch,
        protocolVersion: PROTOCOL_VERSION,
        caps: [BATCH_CAPABILITY, OFFERS_CAPABILITY].filter((cap) => auth.caps?.includes(cap)),
        minClientVersion: room.pos.minClientVersion(),
        heartbeatMs: room.config.heartbeatMs,
        leaseTtlMs: room.config.leaseTtlMs,
        graceMs: room.config.graceMs,
        mutationRate: room.config.mutationRateMax,
        serverTime: isoTime(now),
        offline,
        ...(identified.newToken !== undefined && { token: identified.newToken }),
      },
      auth.requestId,
    );
    await sendSync(session, auth.since);
    active.takesBatches = takesBatches(auth.caps);
    answer(session, room.status());
    tellPresences(session);
    active.arrival = Number.isFinite(place) ? place : (arrivals += 1);
    if (isNew) tellMembership("TERMINAL_JOINED", active);
    world.log.info({ terminalId: active.terminalId, user: user.userName, offline }, "terminal connected");
    for (const message of early.texts.splice(0)) {
      if (session.state.kind === "active") void handle(session, active, message);
    }
  }

  function canAnswer({ socket }: TerminalSession): boolean {
    return !stopping && socket.readyState === socket.OPEN;
  }

  /** A newer connection of the same device has taken over. */
  function replace(older: TerminalSession): void {
    older.state = { kind: "gone" };
    older.close(CloseCode.replaced, "replaced by a newer connection of this device");
  }

  function refuse(session: TerminalSession, error: unknown): void {
    if (!(error instanceof AuthRefused)) world.log.error({ err: error }, "a sign-in failed");
    const refusal =
      error instanceof AuthRefused
        ? error
        : new AuthRefused("INTERNAL_ERROR", CloseCode.backOfficeUnreachable, "the hub failed; see its log");
    newcomers.remove(session);
    const { errorCode, message: sentence, details } = refusal;
    session.answer(serialize({ type: "AUTH_FAILED", errorCode, error: sentence, ...details }));
    session.close(refusal.closeCode, sentence);
  }

  /** Ends a session that was let in and may not go on, and says why. */
  function dismiss(session: TerminalSession, refusal: AuthRefused): void {
    refuse(session, refusal);
    leave(session);
  }

  function leave(session: TerminalSession): void {
    sessions.delete(session);
    answering.delete(session);
    newcomers.remove(session);
    if (session.state.kind !== "active") return;
    const { active } = session.state;
    session.state = { kind: "gone" };
    if (byTerminal.get(active.terminalId) !== session) return;
    byTerminal.delete(active.terminalId);
    if (stopping) return;
    room.leases.disconnect(active.terminalId);
    rememberTerminal(room, session, active);
    room.onTerminal("left", active);
    tellMembership("TERMINAL_LEFT", active);
    world.log.info({ terminalId: active.terminalId }, "terminal disconnected");
  }

  function tellPresences(session: TerminalSession): void {
    for (const { active } of activeOf(sessions)) {
      if (Object.keys(active.presence).length === 0) continue;
      const { terminalId, identity, presence } = active;
      answer(session, { type: "PRESENCE", terminalId, userName: identity.userName, ...presence });
    }
  }

  // --- watching ---

  function tick(): void {
    const now = clock.monotonic();
    // After a long stall of this process nobody was heard: that is not the terminals' silence.
    const stalled = now - lastTickAt > room.config.heartbeatMs;
    lastTickAt = now;
    for (const session of sessions) {
      if (stalled) session.heard(now);
      if (session.state.kind === "active") session.ping(now);
      if (session.state.kind === "active" && now - session.lastHeardAt() > 2 * room.config.heartbeatMs) {
        session.close(CloseCode.policyViolation, "silent for two heartbeats");
      } else if (session.stalledMs(now) > terminalLimits.notReadingMs) {
        session.close(CloseCode.policyViolation, "not reading");
      }
    }
    tickTimer = timers.setTimeout(tick, Math.min(TICK_MS, room.config.heartbeatMs / 2));
  }

  return {
    /** Tells every terminal what one commit group changed. */
    announce: ((changes) => {
      if (sessions.size === 0) return;
      for (const change of changes) if (change.kind !== "notice") news.push(newsOf(change));
      scheduleFlush();
    }) satisfies Listener,
    /** Tells every terminal something that is not part of the shared state. */
    tellAll: (message: HubMessage): void => tell({ text: serialize(message) }),

    start(): void {
      lastTickAt = clock.monotonic();
      tick();
    },
    /** Takes a connection over, or answers that there is no place for it. */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): "taken" | "503 Service Unavailable" {
      const address = room.peerOf(request);
      const place = newcomers.placeFor(address);
      if (stopping || place === "full") return "503 Service Unavailable";
      if (place !== "free") refuse(place.drop, tooManyNewcomers());
      server.handleUpgrade(request, socket, head, (client) => accept(client, socket, address));
      return "taken";
    },
    connected: (): ConnectedTerminal[] => activeOf(sessions),
    /** A connected terminal; null when it is not. */
    find(terminalId: string): ConnectedTerminal | null {
      const session = byTerminal.get(terminalId);
      return session?.state.kind === "active" ? { session, active: session.state.active } : null;
    },
    count: (): number => byTerminal.size,
    /** Ends a terminal's connection on the operator's word; it will come back by itself. */
    disconnect(terminalId: string): boolean {
      const session = byTerminal.get(terminalId);
      session?.close(CloseCode.goingAway, "disconnected by the operator");
      return session !== undefined;
    },
    dismiss,
    /** Ends the connection of a device that was forgotten; somebody has to sign in there again. */
    endForgotten(terminalId: string, by: string): void {
      const session = byTerminal.get(terminalId);
      const sentence = `${by} made the hub forget this terminal; sign in again`;
      if (session !== undefined) dismiss(session, new AuthRefused("FORBIDDEN", CloseCode.forbidden, sentence));
    },
    /** Tells one terminal something, behind what it was told before. */
    send: (session: TerminalSession, message: HubMessage): void => answer(session, message),
    /** Says goodbye to everyone and waits until they are gone, a second at most. */
    async stop(): Promise<void> {
      stopping = true;
      timers.clearTimeout(tickTimer);
      membership.stop();
      flush();
      const closing = [...sessions].map(
        (session) => new Promise<void>((resolve) => session.socket.once("close", () => resolve())),
      );
      for (const session of sessions) session.close(CloseCode.goingAway, "the hub is going down");
      await Promise.all(closing);
      server.close();
    },
  };
}

function tooManyNewcomers(): AuthRefused {
  const sentence = "too many connections of this address have not signed in; try again in a moment";
  return new AuthRefused("RATE_LIMITED", CloseCode.tryAgainLater, sentence);
}

function readAuth(text: string): Auth {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const isAuth = typeof value === "object" && value !== null && "type" in value && value.type === "AUTH";
  if (!isAuth) throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "the first message is AUTH");
  const parsed = Auth.safeParse(value);
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map((issue) => issue.path[0]);
  if (names.includes("token")) {
    throw new AuthRefused("UNAUTHENTICATED", CloseCode.unauthenticated, "token: this is no back-office session");
  }
  const isDevice = names.includes("deviceId");
  const closeCode = isDevice ? CloseCode.forbidden : CloseCode.unauthenticated;
  throw new AuthRefused("VALIDATION_ERROR", closeCode, describeIssues(parsed.error));
}

function activeOf(sessions: Iterable<TerminalSession>): ConnectedTerminal[] {
  return [...sessions].flatMap((session) =>
    session.state.kind === "active" ? [{ session, active: session.state.active }] : [],
  );
}

function textOf(data: RawData): string {
  return Buffer.isBuffer(data)
    ? data.toString("utf8")
    : Array.isArray(data)
      ? Buffer.concat(data).toString("utf8")
      : Buffer.from(data).toString("utf8");
}
