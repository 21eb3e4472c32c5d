import type { ServerResponse } from "node:http";
import { STREAM_PING_MS, type StreamEvent, type StreamTopic } from "@comanda/protocol";
import { HubError } from "../../platform/errors.ts";
import { createLoop } from "../../platform/loop.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { SharedAnswers } from "./shared-answers.ts";

interface Reader {
  response: ServerResponse;
  isManager: boolean;
  peer: string;
  /** The request's token, confirmed or, while that is impossible, unconfirmed. */
  token: string | null;
  isUndrained: boolean;
}

const FLUSH_MS = 500;
const RECHECK_MS = 30_000;
const MAX_READERS = 200;
/** Limit per manager's session: its tabs on a few screens. */
const MAX_PER_TOKEN = 10;
/** Limits for readers without a manager's session, in total and per address. */
const MAX_PUBLIC_READERS = 100;
const MAX_PUBLIC_PER_PEER = 20;
const BUFFER_BYTES = 1024 * 1024;

const publicTopics: ReadonlySet<StreamTopic> = new Set<StreamTopic>(["overview", "feed", "floor_plan"]);

export type OperatorStream = ReturnType<typeof createStream>;

interface StreamDeps {
  world: World;
  hubId: string;
  settled(): Promise<void>;
  /** Whether a token still belongs to a manager; `unsure` if that cannot be confirmed now. */
  recheck(token: string, peer: string): Promise<"manager" | "dead" | "unsure">;
  answers: Pick<SharedAnswers, "forget">;
}

/** The live stream of the screens. Sends each reader the changed topics, at most twice a second. */
export function createStream(deps: StreamDeps) {
  const { world } = deps;
  const { clock, timers } = world;
  const readers = new Set<Reader>();
  const topics = new Set<StreamTopic>();
  const orders = new Set<string>();
  let flushTimer: NodeJS.Timeout | undefined;
  let pingTimer: NodeJS.Timeout | undefined;
  const rechecking = createLoop(world, "users of the screens", RECHECK_MS, recheck);
  let isScheduled = false;
  let flushedAt = -Infinity;
  let stopped = false;

  function schedule(): void {
    if (isScheduled || stopped) return;
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
    const forManagers = frame({ type: "changed", topics: [...topics], orders: [...orders] });
    const forAll = [...topics].filter((topic) => publicTopics.has(topic));
    const forPublic = forAll.length === 0 ? "" : frame({ type: "changed", topics: forAll, orders: [] });
    topics.clear();
    orders.clear();
    for (const reader of readers) send(reader, reader.isManager ? forManagers : forPublic);
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
    // Ages and disk space change without a change of the shared state.
    note(["overview"]);
    pingTimer = timers.setTimeout(ping, STREAM_PING_MS);
  }

  async function recheck(): Promise<void> {
    // In parallel: a token that takes long to confirm must not delay the rest.
    await Promise.all([...readers].map(recheckReader));
  }

  async function recheckReader(reader: Reader): Promise<void> {
    if (reader.token === null) return;
    const verdict = await deps.recheck(reader.token, reader.peer);
    if (verdict === "dead") end(reader, frame({ type: "signed_out" }));
    // A reader whose rights have changed reconnects with the new ones.
    else if ((verdict === "manager") !== reader.isManager) end(reader);
  }

  function end(reader: Reader, finalFrame = ""): void {
    readers.delete(reader);
    reader.response.end(finalFrame);
  }

  function note(changed: Iterable<StreamTopic>, changedOrders: Iterable<string> = []): void {
    deps.answers.forget();
    if (readers.size === 0) return;
    for (const topic of changed) topics.add(topic);
    for (const posReference of changedOrders) orders.add(posReference);
    if (topics.size > 0) schedule();
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

    /** Opens a stream; `isManager` includes personal data. Throws RATE_LIMITED before anything is written. */
    open(response: ServerResponse, caller: { token: string | null; isManager: boolean; peer: string }): void {
      if (stopped || !hasPlaceFor(caller, readers)) {
        throw new HubError("RATE_LIMITED", "too many screens are connected to this hub");
      }
      const reader: Reader = { ...caller, response, isUndrained: false };
      response.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
      });
      response.on("close", () => readers.delete(reader));
      readers.add(reader);
      const audience = caller.isManager ? "manager" : "public";
      response.write(frame({ type: "hello", at: isoTime(clock.now()), audience, hubId: deps.hubId }));
    },

    /** Adds topics, and orders by reference, to the next flush. Does nothing without readers. */
    note,
    /** Checks every reader's token now. */
    recheck: rechecking.wake,
  };
}

function frame(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

function send(reader: Reader, text: string): void {
  if (text === "") return;
  if (reader.response.writableLength > BUFFER_BYTES) reader.response.destroy();
  else reader.response.write(text);
}

/** Whether there is room for a reader. Public readers have their own limit and cannot use up managers' places. */
function hasPlaceFor(
  { isManager, peer, token }: Pick<Reader, "isManager" | "peer" | "token">,
  readers: ReadonlySet<Reader>,
): boolean {
  const isOwn = (reader: Reader): boolean => reader.isManager && reader.token === token;
  if (isManager) return readers.size < MAX_READERS && [...readers].filter(isOwn).length < MAX_PER_TOKEN;
  const publicReaders = [...readers].filter((reader) => !reader.isManager);
  const peerReaders = publicReaders.filter((reader) => reader.peer === peer);
  return publicReaders.length < MAX_PUBLIC_READERS && peerReaders.length < MAX_PUBLIC_PER_PEER;
}
