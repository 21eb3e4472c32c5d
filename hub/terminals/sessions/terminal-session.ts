import { BATCH_CAPABILITY, hubLimits, type OutboxReport, type Since } from "@comanda/protocol";
import type { WebSocket } from "ws";
import type { Identity } from "../../back-office/session-calls.ts";
import type { MessageBudget } from "../messages/message-budget.ts";
import type { TerminalClock } from "../terminal-clock.ts";
import type { Broadcast } from "../broadcasts/broadcast.ts";
import type { SharedFrames } from "../broadcasts/shared-frames.ts";
import { createProgress } from "./progress.ts";
import { createRoundTrips } from "./round-trips.ts";

/** The state of a connection. Each kind carries only the data it needs. */
export type SessionState =
  | { kind: "awaiting-auth" }
  | { kind: "identifying"; token: string; early: EarlyMessages }
  | { kind: "active"; active: ActiveTerminal }
  | { kind: "gone" };

/** Messages that arrived before the first SYNC was sent. They are handled after it, in order. */
export interface EarlyMessages {
  texts: string[];
  bytes: number;
}

export interface ActiveTerminal {
  terminalId: string;
  /** The newest token of its back-office session; stored nowhere else. */
  token: string;
  identity: Identity;
  /** The `actor` token for its user's mutations, or null if none could be stored. */
  actorToken: string | null;
  offline: boolean;
  clientVersion: string | null;
  protocolVersion: number;
  connectedAt: number;
  clock: TerminalClock;
  outbox: OutboxReport | undefined;
  /** When the device last reported an empty outbox, ms since 1970; null if never. Its unsent changes are newer. */
  outboxEmptyAt: number | null;
  presence: { posReference?: string; tableId?: number };
  /** The name shown for the terminal: the acting person, or the user who signed in. */
  presentName: string;
  budget: MessageBudget;
  takesBatches: boolean;
  /** The newest shared change that this terminal was sent. */
  seq: number;
  /** Whether its buffer is full: it gets no changes until the buffer has drained, then a delta SYNC. */
  isBehind: boolean;
  /** Whether its first SYNC has been sent; until then it gets no broadcasts and its messages wait. */
  isSynced: boolean;
  /** Its place among all sign-ins; infinity until its first SYNC has been sent. */
  arrival: number;
  early: EarlyMessages;
  /** A RESYNC deferred until the buffer has drained. */
  resync: { since: Since | undefined; requestId: string | undefined } | null;
}

export type TerminalSession = ReturnType<typeof createTerminalSession>;

/** A terminal that fell behind has drained when its buffer is at most this size. */
const DRAINED_BYTES = 64 * 1024;
const CLOSE_REASON_BYTES = 123;
/** The limit for unsent answers: a client that keeps asking without reading is cut off. */
const ANSWER_BUFFER_BYTES = 4 * 1024 * 1024;

interface SessionOptions {
  socket: WebSocket;
  address: string;
  /** Number of the connection: of two connections of a device, the higher one is newer. */
  ordinal: number;
  now: number;
  onDrained: () => void;
}

/** One connection: its state, its unsent messages and its send progress. */
export function createTerminalSession(options: SessionOptions) {
  const { socket, address, ordinal, now, onDrained } = options;
  const answers: string[] = [];
  let state: SessionState = { kind: "awaiting-auth" };
  let lastHeardAt = now;
  const progress = createProgress(socket, now);
  const trips = createRoundTrips(socket);

  /** Bytes of answers that the socket has not drained yet. */
  let answerBytes = 0;
  /** Messages held while a SYNC is being sent; null if none is. */
  let deferred: Deferred | null = null;

  function sendAnswer(text: string): void {
    answerBytes += text.length;
    send(text);
  }

  function send(data: Buffer | string): void {
    socket.send(data, { binary: false }, () => {
      progress.drained();
      if (socket.bufferedAmount <= DRAINED_BYTES) answerBytes = 0;
      if (state.kind === "active" && state.active.isBehind && socket.bufferedAmount <= DRAINED_BYTES) onDrained();
    });
  }

  return {
    socket,
    address,
    ordinal,
    get state(): SessionState {
      return state;
    },
    set state(next: SessionState) {
      state = next;
    },
    noteReceived(at: number): void {
      lastHeardAt = at;
    },
    lastHeardAt: (): number => lastHeardAt,
    ping: trips.ping,
    ponged: trips.ponged,
    pingMs: trips.pingMs,
    answer: (text: string): void => void answers.push(text),
    send,
    isFull: (): boolean => socket.bufferedAmount > hubLimits.sendBufferBytes,

    /** Sends the queued answers and, unless the terminal is behind, the broadcasts; one frame if it accepts batches. */
    flush(broadcasts: readonly Broadcast[], shared: SharedFrames): void {
      if (state.kind !== "active") {
        for (const answer of answers.splice(0)) sendAnswer(answer);
        return;
      }
      const { active } = state;
      const isServed = active.isSynced || deferred !== null;
      const deliverable = isServed ? broadcastsFor(active, broadcasts) : [];
      if (deferred !== null) {
        hold(deferred, answers.splice(0), deliverable);
        for (const { seq } of deliverable) if (seq !== null) active.seq = seq;
        return;
      }
      if (deliverable.length > 0 && (active.isBehind || socket.bufferedAmount > hubLimits.sendBufferBytes)) {
        active.isBehind = true;
        // A later SYNC does not repeat messages for this terminal alone.
        answers.push(...deliverable.splice(0).flatMap(({ text, only }) => (only === null ? [] : text)));
      }
      for (const { seq } of deliverable) if (seq !== null) active.seq = seq;
      const isShared = deliverable.length > 0 && deliverable.length === shared.broadcasts.length;
      if (active.takesBatches) {
        for (const answer of answers) answerBytes += answer.length;
        const own = [...answers.splice(0), ...(isShared ? [] : deliverable.map((each) => each.text))].join(",");
        if (isShared) send(own === "" ? shared.frame() : shared.frameAfter(own));
        else if (own !== "") send(`[${own}]`);
      } else {
        for (const answer of answers.splice(0)) sendAnswer(answer);
        if (isShared) for (const frame of shared.frames()) send(frame);
        else for (const each of deliverable) send(each.text);
      }
      // Counted apart from SYNC pages, which a new terminal on a slow line may take a while to read.
      if (answerBytes > ANSWER_BUFFER_BYTES) socket.terminate();
    },

    /** Holds the following messages until a SYNC that leads to `seq` has been sent. */
    holdBack(seq: number): void {
      deferred = { messages: [], changeBytes: 0, seq };
    },
    isHeldBack: (): boolean => deferred !== null,
    /**
     * Sends the held messages, in order. If they are too much, or the SYNC itself filled the buffer, the terminal counts as
     * behind and gets a delta SYNC when it has drained.
     */
    release(): void {
      const waited = deferred;
      deferred = null;
      if (waited === null || state.kind !== "active") return;
      const { active } = state;
      const { sendBufferBytes } = hubLimits;
      const isOverBuffer = waited.changeBytes > Math.max(0, sendBufferBytes - socket.bufferedAmount);
      const texts = waited.messages.flatMap(({ text, isChange }) => (isChange && isOverBuffer ? [] : text));
      if (active.takesBatches && texts.length > 0) send(`[${texts.join(",")}]`);
      else for (const text of texts) send(text);
      if (!isOverBuffer) return;
      active.seq = waited.seq;
      active.isBehind = true;
      if (socket.bufferedAmount <= DRAINED_BYTES) onDrained();
    },

    stalledMs: progress.stalledMs,

    close(code: number, reason: string): void {
      for (const answer of answers.splice(0)) sendAnswer(answer);
      socket.close(code, closeReason(reason));
    },
  };
}

/** Messages held behind a SYNC that leads to `seq`. */
interface Deferred {
  messages: { text: string; isChange: boolean }[];
  changeBytes: number;
  seq: number;
}

function hold(deferred: Deferred, answers: readonly string[], broadcasts: readonly Broadcast[]): void {
  for (const text of answers) deferred.messages.push({ text, isChange: false });
  for (const { text, only } of broadcasts) {
    if (only !== null) {
      deferred.messages.push({ text, isChange: false });
      continue;
    }
    deferred.changeBytes += text.length;
    // Above the limit none of the changes is sent, so none is kept.
    if (deferred.changeBytes <= hubLimits.sendBufferBytes) deferred.messages.push({ text, isChange: true });
  }
}

function broadcastsFor(active: ActiveTerminal, broadcasts: readonly Broadcast[]): Broadcast[] {
  return broadcasts.filter(
    (each) =>
      (each.seq === null || each.seq > active.seq) &&
      each.except !== active.terminalId &&
      (each.only === null || each.only === active.terminalId) &&
      (each.upTo === null || active.arrival <= each.upTo),
  );
}

/** Returns a reason cut to the length of a close frame: `close` throws on a longer one. */
function closeReason(reason: string): string {
  let text = reason.slice(0, CLOSE_REASON_BYTES);
  while (Buffer.byteLength(text) > CLOSE_REASON_BYTES) text = text.slice(0, -1);
  return text;
}

export const takesBatches = (caps: readonly string[] | undefined): boolean => caps?.includes(BATCH_CAPABILITY) ?? false;
