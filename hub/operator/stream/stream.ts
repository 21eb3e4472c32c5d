import type { ServerResponse } from "node:http";
import {
  type LogLevel,
  type LogLine,
  type OperatorTerminal,
  type OperatorTicket,
  type OrderRow,
  type Overview,
  type PlanTable,
  STREAM_PING_MS,
  type StreamEvent,
  type StreamTopic,
} from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import { isAtLeast, type LogTail } from "../../platform/log-tail.ts";
import { createLoop } from "../../platform/loop.ts";
import { isoTime, type World } from "../../platform/world.ts";
import { withoutDetail } from "./feed.ts";
import { withoutTableDetail } from "../service/live-floor-plan.ts";

/** What has changed since the last flush; the flush reads the newest state of each. */
export interface PendingUpdates {
  tables: Set<number>;
  orders: Set<string>;
  removed: Map<string, number>;
  tickets: Set<string>;
  terminals: Set<string>;
  topics: Set<StreamTopic>;
  feed: Extract<StreamEvent, { type: "feed" }>["entry"][];
  overview: boolean;
}

interface Reader {
  response: ServerResponse;
  isManager: boolean;
  peer: string;
  /** The token that came with the request, confirmed or (while that is impossible) not. */
  token: string | null;
  lines: LogLine[];
  isUndrained: boolean;
  unfollow(): void;
}

const FLUSH_MS = 250;
const RARE_MS = 500;
const RECHECK_MS = 30_000;
const MAX_READERS = 200;
/** Of those, with one manager's session: its tabs on a few screens. */
const MAX_PER_TOKEN = 10;
/** Of those, for readers without a manager's session: of all addresses, and of one. */
const MAX_PUBLIC_READERS = 100;
const MAX_PUBLIC_PER_PEER = 20;
const MAX_LINES = 200;
const BUFFER_BYTES = 1024 * 1024;

export type OperatorStream = ReturnType<typeof createStream>;

/** The live stream of the screens: collects what changed and sends each reader the new state a few times a second. */
export function createStream(deps: {
  world: World;
  hubId: string;
  logs: LogTail;
  settled(): Promise<void>;
  /** Whether a token still belongs to a manager; `unsure` while that cannot be confirmed. */
  judge(token: string, peer: string): Promise<"manager" | "dead" | "unsure">;
  readOverview(isManager: boolean): Overview;
  readTable(tableId: number): PlanTable | null;
  readOrders(posReferences: ReadonlySet<string>): OrderRow[];
  readTickets(ticketId: string): OperatorTicket[];
  readTerminals(terminalIds: ReadonlySet<string>): OperatorTerminal[];
}) {
  const { world } = deps;
  const { clock, timers } = world;
  const readers = new Set<Reader>();
  let pending = noUpdates();
  let flushTimer: NodeJS.Timeout | undefined;
  let pingTimer: NodeJS.Timeout | undefined;
  const rechecking = createLoop(world, "users of the screens", RECHECK_MS, recheck);
  let isScheduled = false;
  let flushedAt = -Infinity;
  let overviewAt = -Infinity;
  let topicsAt = -Infinity;
  let stopped = false;

  function schedule(): void {
    if (isScheduled || stopped || readers.size === 0) return;
    isScheduled = true;
    const waitMs = Math.max(20, flushedAt + FLUSH_MS - clock.monotonic());
    flushTimer = timers.setTimeout(() => {
      flush().catch((error: unknown) => world.log.error({ err: error }, "the live stream could not be updated"));
    }, waitMs);
  }

  async function flush(): Promise<void> {
    await deps.settled();
    isScheduled = false;
    flushedAt = clock.monotonic();
    if (readers.size === 0) return;
    const events = [...takeFrequent(), ...takeRare()];
    const forManagers = events.map(frame).join("");
    const forAll = events.flatMap(asPublic).map(frame).join("");
    for (const reader of readers) send(reader, (reader.isManager ? forManagers : forAll) + takeLines(reader));
    if (pending.overview || pending.topics.size > 0) schedule();
  }

  function takeFrequent(): StreamEvent[] {
    const { tables, orders, removed, tickets, terminals, feed } = pending;
    pending = { ...noUpdates(), overview: pending.overview, topics: pending.topics };
    const hasManager = [...readers].some((reader) => reader.isManager);
    return [
      ...[...tables].flatMap((id): StreamEvent[] => {
        const table = deps.readTable(id);
        return table === null ? [] : [{ type: "table", table }];
      }),
      ...(hasManager ? takePersonal(orders, tickets, terminals) : []),
      ...[...removed].map(([posReference, version]): StreamEvent => ({ type: "order_removed", posReference, version })),
      ...feed.map((entry): StreamEvent => ({ type: "feed", entry })),
    ];
  }

  function takePersonal(orders: Set<string>, tickets: Set<string>, terminals: Set<string>): StreamEvent[] {
    return [
      ...deps.readOrders(orders).map((order): StreamEvent => ({ type: "order", order })),
      ...[...tickets].flatMap(deps.readTickets).map((ticket): StreamEvent => ({ type: "ticket", ticket })),
      ...deps.readTerminals(terminals).map((terminal): StreamEvent => ({ type: "terminal", terminal })),
    ];
  }

  function takeRare(): StreamEvent[] {
    const now = clock.monotonic();
    const events: StreamEvent[] = [];
    if (pending.topics.size > 0 && now - topicsAt >= RARE_MS) {
      events.push({ type: "changed", topics: [...pending.topics] });
      pending.topics = new Set();
      topicsAt = now;
    }
    if (pending.overview && now - overviewAt >= RARE_MS) {
      events.push({ type: "overview", overview: deps.readOverview(true) });
      pending.overview = false;
      overviewAt = now;
    }
    return events;
  }

  function takeLines(reader: Reader): string {
    return reader.lines
      .splice(0)
      .map((line) => frame({ type: "log", line }))
      .join("");
  }

  function send(reader: Reader, text: string): void {
    if (text === "") return;
    if (reader.response.writableLength > BUFFER_BYTES) reader.response.destroy();
    else reader.response.write(text);
  }

  function ping(): void {
    const text = frame({ type: "ping", at: isoTime(clock.now()) });
    for (const reader of readers) {
      const isUndrained = reader.response.writableLength > 0;
      // Nothing was read since the last ping.
      if (isUndrained && reader.isUndrained) reader.response.destroy();
      else send(reader, text);
      reader.isUndrained = isUndrained;
    }
    // Ages and disk space move without any change of the shared state.
    pending.overview = true;
    schedule();
    pingTimer = timers.setTimeout(ping, STREAM_PING_MS);
  }

  async function recheck(): Promise<void> {
    // In parallel: a token that takes long to confirm must not delay the others.
    await Promise.all([...readers].map(recheckReader));
  }

  async function recheckReader(reader: Reader): Promise<void> {
    if (reader.token === null) return;
    const verdict = await deps.judge(reader.token, reader.peer);
    if (verdict === "dead") end(reader, frame({ type: "signed_out" }));
    // A reader whose rights have changed reconnects with the new ones.
    else if ((verdict === "manager") !== reader.isManager) end(reader);
  }

  /** Public readers can fill their own share of the places, never a manager's. */
  function hasPlaceFor({ isManager, peer, token }: Pick<Reader, "isManager" | "peer" | "token">): boolean {
    const isOwn = (reader: Reader): boolean => reader.isManager && reader.token === token;
    if (isManager) return readers.size < MAX_READERS && [...readers].filter(isOwn).length < MAX_PER_TOKEN;
    const publicReaders = [...readers].filter((reader) => !reader.isManager);
    const ofPeer = publicReaders.filter((reader) => reader.peer === peer);
    return publicReaders.length < MAX_PUBLIC_READERS && ofPeer.length < MAX_PUBLIC_PER_PEER;
  }

  function end(reader: Reader, finalFrame = ""): void {
    readers.delete(reader);
    reader.unfollow();
    reader.response.end(finalFrame);
  }

  function followLogs(reader: Reader, level: LogLevel): () => void {
    return deps.logs.follow((line) => {
      if (!isAtLeast(line.level, level) || reader.lines.length >= MAX_LINES) return;
      reader.lines.push(line);
      schedule();
    });
  }

  return {
    start(): void {
      pingTimer = timers.setTimeout(ping, STREAM_PING_MS);
      rechecking.start();
    },
    /** Ends every stream, so that the server can close. */
    stop(): void {
      stopped = true;
      timers.clearTimeout(flushTimer);
      timers.clearTimeout(pingTimer);
      for (const reader of readers) end(reader);
      void rechecking.stop();
    },

    /**
     * Starts a stream on a response; `isManager` includes personal data. Refuses with RATE_LIMITED before anything is
     * written.
     */
    open(
      response: ServerResponse,
      who: { token: string | null; isManager: boolean; peer: string },
      logs: LogLevel | undefined,
    ): void {
      if (stopped || !hasPlaceFor(who)) {
        throw new HubError("RATE_LIMITED", "too many screens are connected to this hub");
      }
      const reader: Reader = { ...who, response, lines: [], isUndrained: false, unfollow: () => {} };
      response.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
      });
      response.on("close", () => {
        readers.delete(reader);
        reader.unfollow();
      });
      readers.add(reader);
      const audience = who.isManager ? "manager" : "public";
      const overview = deps.readOverview(who.isManager);
      const hello: StreamEvent = { type: "hello", at: isoTime(clock.now()), audience, hubId: deps.hubId };
      response.write(frame(hello) + frame({ type: "overview", overview }));
      if (who.isManager && logs !== undefined) reader.unfollow = followLogs(reader, logs);
    },

    /** Collects what has changed for the next flush. Without readers nothing is kept. */
    note(add: (updates: PendingUpdates) => void): void {
      if (readers.size === 0) return;
      add(pending);
      schedule();
    },
    /** Checks every reader's token now. */
    recheck: rechecking.wake,
  };
}

function noUpdates(): PendingUpdates {
  return {
    tables: new Set(),
    orders: new Set(),
    removed: new Map(),
    tickets: new Set(),
    terminals: new Set(),
    topics: new Set(),
    feed: [],
    overview: false,
  };
}

function frame(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** The part of an event that is public. */
function asPublic(event: StreamEvent): StreamEvent[] {
  switch (event.type) {
    case "overview": {
      const { detail: _, ...overview } = event.overview;
      return [{ type: "overview", overview }];
    }
    case "table":
      return [{ type: "table", table: withoutTableDetail(event.table) }];
    case "feed":
      return [{ type: "feed", entry: withoutDetail(event.entry) }];
    case "changed":
      return event.topics.includes("floor_plan") ? [{ type: "changed", topics: ["floor_plan"] }] : [];
    case "hello":
    case "ping":
    case "signed_out":
      return [event];
    case "order":
    case "order_removed":
    case "terminal":
    case "ticket":
    case "log":
      return [];
  }
}
