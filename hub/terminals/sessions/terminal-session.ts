import { BATCH_CAPABILITY, hubLimits, type OutboxReport, type Since } from "@comanda/protocol";
import type { WebSocket } from "ws";
import type { Identity } from "../../back-office/session-calls.ts";
import type { MessageBudget } from "../messages/message-budget.ts";
import type { TerminalClock } from "../terminal-clock.ts";
import type { Broadcast } from "../broadcasts/broadcast.ts";
import type { SharedFrames } from "../broadcasts/shared-frames.ts";
import { createProgress } from "./progress.ts";
import { createRoundTrips } from "./round-trips.ts";

/** The state of a connection. Each carries only what it has. */
export type SessionState =
  | { kind: "awaiting-auth" }
  | { kind: "identifying"; token: string; early: EarlyMessages }
  | { kind: "active"; active: ActiveTerminal }
  | { kind: "gone" };

/** Messages that came before the first SYNC was sent: they are handled after it, in order. */
export interface EarlyMessages {
  texts: string[];
  bytes: number;
}

export interface ActiveTerminal {
  terminalId: string;
  /** The newest token of its back-office session; kept nowhere else. */
  token: string;
  identity: Identity;
  /** The `actor` of its user's mutations; null when none could be stored. */
  actorToken: string | null;
  offline: boolean;
  clientVersion: string | null;
  protocolVersion: number;
  connectedAt: number;
  clock: TerminalClock;
  outbox: OutboxReport | undefined;
  /** When its device last said that nothing was unsent, ms since 1970: it has queued nothing before; null if never. */
  outboxEmptyAt: number | null;
  presence: { posReference?: string; tableId?: number };
  /** Who is there: the person who acts, or the user who signed in. */
  presentName: string;
  budget: MessageBudget;
  takesBatches: boolean;
  /** The newest shared change this terminal was sent. */
  seq: number;
  /** Its buffer is full: it is sent no changes until it has drained, then a delta SYNC. */
  isBehind: boolean;
  /** It has been sent its first SYNC; until then it gets no broadcasts and its messages wait. */
  isSynced: boolean;
  /** Its place among all sign-ins; infinity until it has been sent its first SYNC. */
  arrival: number;
  early: EarlyMessages;
  /** The RESYNC that waits until it has drained. */
  resync: { since: Since | undefined; requestId: string | undefined } | null;
}

export type TerminalSession = ReturnType<typeof createTerminalSession>;

/** Below this a terminal that fell behind counts as drained. */
const DRAINED_BYTES = 64 * 1024;
const CLOSE_REASON_BYTES = 123;
/** The limit for answers: a client that keeps asking without reading is closed. */
const ANSWER_BUFFER_BYTES = 4 * 1024 * 1024;

interface SessionOptions {
  socket: WebSocket;
  address: string;
  /** Counts connections: of two of one device the higher one is the newer. */
  ordinal: number;
  now: number;
  onDrained: () => void;
}

/** One connection: its state, what waits to be sent on it, and how well it drains. */
export function createTerminalSession(options: SessionOptions) {
  const { socket, address, ordinal, now, onDrained } = options;
  const answers: string[] = [];
  let state: SessionState = { kind: "awaiting-auth" };
  let lastHeardAt = now;
  const progress = createProgress(socket, now);
  const trips = createRoundTrips(socket);

  /** Of the answers that the socket has not drained yet. */
  let answerBytes = 0;
  /** What waits behind a SYNC that is being sent; null while none is. */
  let held: Held | null = null;

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
    heard(at: number): void {
      lastHeardAt = at;
    },
    lastHeardAt: (): number => lastHeardAt,
    ping: trips.ping,
    ponged: trips.ponged,
    pingMs: trips.pingMs,
    /** Queues an answer for the next flush. */
    answer: (text: string): void => void answers.push(text),
    send,
    isFull: (): boolean => socket.bufferedAmount > hubLimits.sendBufferBytes,

    /** Sends the queued answers and, unless the terminal is behind, the broadcasts: one frame where it takes batches. */
    flush(broadcasts: readonly Broadcast[], shared: SharedFrames): void {
      if (state.kind !== "active") {
        for (const answer of answers.splice(0)) sendAnswer(answer);
        return;
      }
      const { active } = state;
      const isServed = active.isSynced || held !== null;
      const wanted = isServed ? broadcastsFor(active, broadcasts) : [];
      if (held !== null) {
        hold(held, answers.splice(0), wanted);
        for (const { seq } of wanted) if (seq !== null) active.seq = seq;
        return;
      }
      if (wanted.length > 0 && (active.isBehind || socket.bufferedAmount > hubLimits.sendBufferBytes)) {
        active.isBehind = true;
        // No SYNC says again what is said to it alone.
        answers.push(...wanted.splice(0).flatMap(({ text, only }) => (only === null ? [] : text)));
      }
      for (const { seq } of wanted) if (seq !== null) active.seq = seq;
      const isShared = wanted.length > 0 && wanted.length === shared.broadcasts.length;
      if (active.takesBatches) {
        for (const answer of answers) answerBytes += answer.length;
        const own = [...answers.splice(0), ...(isShared ? [] : wanted.map((each) => each.text))].join(",");
        if (isShared) send(own === "" ? shared.frame() : shared.frameAfter(own));
        else if (own !== "") send(`[${own}]`);
      } else {
        for (const answer of answers.splice(0)) sendAnswer(answer);
        if (isShared) for (const frame of shared.frames()) send(frame);
        else for (const each of wanted) send(each.text);
      }
      // Counted apart from SYNC pages: a newcomer on a weak line may need a while for those.
      if (answerBytes > ANSWER_BUFFER_BYTES) socket.terminate();
    },

    /** Has what follows wait behind a SYNC that leads to `seq`. */
    holdBack(seq: number): void {
      held = { messages: [], changeBytes: 0, seq };
    },
    isHeldBack: (): boolean => held !== null,
    /**
     * Sends what has waited, in order. Where that is too much, or the SYNC itself has filled the buffer, the terminal is
     * behind, and gets a delta of the changes when it has drained.
     */
    release(): void {
      const waited = held;
      held = null;
      if (waited === null || state.kind !== "active") return;
      const { active } = state;
      const { sendBufferBytes } = hubLimits;
      const isTooMuch = waited.changeBytes > Math.max(0, sendBufferBytes - socket.bufferedAmount);
      const texts = waited.messages.flatMap(({ text, isChange }) => (isChange && isTooMuch ? [] : text));
      if (active.takesBatches && texts.length > 0) send(`[${texts.join(",")}]`);
      else for (const text of texts) send(text);
      if (!isTooMuch) return;
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

/** What waits behind a SYNC that leads to `seq`. */
interface Held {
  messages: { text: string; isChange: boolean }[];
  changeBytes: number;
  seq: number;
}

function hold(held: Held, answers: readonly string[], broadcasts: readonly Broadcast[]): void {
  for (const text of answers) held.messages.push({ text, isChange: false });
  for (const { text, only } of broadcasts) {
    if (only !== null) {
      held.messages.push({ text, isChange: false });
      continue;
    }
    held.changeBytes += text.length;
    // Of too much none is sent.
    if (held.changeBytes <= hubLimits.sendBufferBytes) held.messages.push({ text, isChange: true });
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

/** A reason, cut to what a close frame can hold: a longer one makes `close` throw. */
function closeReason(reason: string): string {
  let text = reason.slice(0, CLOSE_REASON_BYTES);
  while (Buffer.byteLength(text) > CLOSE_REASON_BYTES) text = text.slice(0, -1);
  return text;
}

export const takesBatches = (caps: readonly string[] | undefined): boolean => caps?.includes(BATCH_CAPABILITY) ?? false;
