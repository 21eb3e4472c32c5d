import { setTimeout as pause } from "node:timers/promises";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { type ConsumerMessages, DeliverPolicy, jetstream, jetstreamManager, type JsMsg } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Database } from "../db/database.ts";
import { errorMessage } from "../error-message.ts";
import { createFailureLog } from "../failure-log.ts";
import { onReconnect } from "../nats/on-reconnect.ts";
import { prepareStreams } from "../nats/prepare-streams.ts";
import type { World } from "../world.ts";
import { announce } from "./announce.ts";
import { answerHubs } from "./answer-hubs.ts";
import { applyMessages, type Received } from "./apply-messages.ts";
import { badBatch, decodeBatch } from "./decode-batch.ts";
import { isDataError } from "../db/is-data-error.ts";
import { createStreamPurger } from "./purge-stream.ts";
import { readStandings } from "./standings.ts";
import { startPosition, type StreamPosition, takePosition } from "./stream-position.ts";

/** Limits of one transaction: messages, and unpacked bytes (some 2,000 checks). */
const MAX_MESSAGES = 2_000;
const MAX_UNPACKED = 4 * 1024 * 1024;
/** Messages requested from the server in advance. */
const READ_AHEAD = 300;
const GATHER_MS = 50;
const RETRY_MS = 1_000;
const WATCH_MS = 2_000;

/**
 * Applies what restaurants send, in the order of the stream. The content of a batch, the restaurant's cursor and the position
 * in the stream are written in one transaction. Checks are kept for `checkDays` days.
 */
export function createIngester(
  { database, connection, checkDays }: { database: Database; connection: NatsConnection; checkDays: number },
  world: World,
) {
  const { log } = world;
  const stopping = new AbortController();
  const failures = createFailureLog(log, {
    fails: "batches cannot be applied; it is tried again",
    worksAgain: "batches are applied again",
  });
  let running: Promise<void> = Promise.resolve();
  /** Ends the current read after the connection was lost. */
  let endLost = (): void => undefined;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await readStream();
      } catch (error) {
        if (stopping.signal.aborted) return;
        failures.failed(error);
        await pause(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** Reads from the stored position until the stream was re-created or something fails. */
  async function readStream(): Promise<void> {
    await prepareStreams(connection);
    const manager = await jetstreamManager(connection);
    const position = await startPosition(database, await manager.streams.info(chainSubjects.stream));
    announce(connection, { standings: await readStandings(database), resend: new Set(), superseded: new Map() });
    const consumer = await jetstream(connection).consumers.get(chainSubjects.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position.seq + 1,
    });
    const messages = await consumer.consume({ max_messages: READ_AHEAD });
    const end = (): void => void messages.close();
    stopping.signal.addEventListener("abort", end, { once: true });
    // The ingester may have been stopped before the listener was added.
    if (stopping.signal.aborted) end();
    const watch = watchStream(connection, () => position, end);
    endLost = () => watch.isOver("the connection was lost");
    try {
      await applyAll(messages, position);
    } finally {
      watch.stop();
      stopping.signal.removeEventListener("abort", end);
    }
    watch.throwIfOver();
  }

  /** Applies messages in groups. Reads the next group while the database writes one. */
  async function applyAll(messages: ConsumerMessages, position: StreamPosition): Promise<void> {
    let applying: Promise<void> = Promise.resolve();
    try {
      for await (const group of inGroups(messages, () => applying)) {
        await applying;
        applying = applyGroup(group, position);
        // After a failure, stop waiting for messages.
        applying.catch(() => messages.close());
      }
    } finally {
      await applying;
    }
  }

  async function applyGroup(received: readonly Received[], position: StreamPosition): Promise<void> {
    await apply(received, position);
    failures.worked();
  }

  async function apply(received: readonly Received[], position: StreamPosition): Promise<void> {
    const [first] = received;
    if (first === undefined) return;
    try {
      await commit(received, position);
    } catch (error) {
      if (!isDataError(error)) throw error;
      if (received.length > 1) {
        // One message is the cause: apply each by itself, so that the rest get written.
        for (const each of received) await apply([each], position);
        return;
      }
      if (first.decoded.kind === "bad") throw error;
      log.warn({ err: error, restaurant: first.decoded.restaurant }, "a batch could not be written");
      await commit([{ message: first.message, decoded: badBatch(first.decoded, writeErrorReason(error)) }], position);
    }
  }

  async function commit(received: readonly Received[], position: StreamPosition): Promise<void> {
    const to = received.at(-1)?.message.seq ?? position.seq;
    const outcome = await database.transaction(async (queries) => {
      await takePosition(queries, position, to);
      return applyMessages(queries, received, { now: world.now(), checkDays });
    });
    position.seq = to;
    announce(connection, outcome);
    const { bad, superseded, holes } = outcome.counts;
    if (bad + superseded + holes > 0) log.warn(outcome.counts, "batches were set aside");
    log.debug(outcome.counts, "batches applied");
  }

  let endAnswers: () => void = () => undefined;
  return {
    start(): void {
      endAnswers = answerHubs(connection, database, world);
      void onReconnect(connection, () => endLost());
      running = run();
    },
    /** Stops after the current transaction. */
    async stop(): Promise<void> {
      endAnswers();
      stopping.abort();
      await running;
    },
  };
}

function writeErrorReason(error: unknown): string {
  return `it could not be written: ${errorMessage(error)}`.slice(0, 300);
}

/**
 * Yields decoded messages in groups up to the limits of one transaction. A group is complete after GATHER_MS, once the group
 * before it is applied. Closes `messages` at its end.
 */
async function* inGroups(messages: ConsumerMessages, applied: () => Promise<void>): AsyncGenerator<Received[]> {
  const iterator = messages[Symbol.asyncIterator]();
  const readAhead = (): Promise<IteratorResult<JsMsg>> => {
    const result = iterator.next();
    // Avoids an unhandled rejection. The next await of `result` still throws.
    result.catch(() => undefined);
    return result;
  };
  let next = readAhead();
  try {
    for (;;) {
      const received: Received[] = [];
      let bytes = 0;
      let until: Promise<null> | null = null;
      while (received.length < MAX_MESSAGES && bytes < MAX_UNPACKED) {
        const result = await (until === null ? next : Promise.race([next, until]));
        if (result === null || result.done === true) break;
        const message = result.value;
        next = readAhead();
        const decoded = await decodeBatch(message);
        bytes += decoded.kind === "batch" ? decoded.bytes : message.data.byteLength;
        received.push({ message, decoded });
        until ??= Promise.allSettled([pause(GATHER_MS), applied()]).then(() => null);
      }
      // The first message of a group is awaited without a timeout: an empty group is the end of the messages.
      if (received.length === 0) return;
      yield received;
    }
  } finally {
    // `close` waits for the messages read ahead, which are never taken: end the iterator before awaiting it.
    const closed = messages.close();
    await iterator.return?.();
    await closed;
  }
}

/**
 * Calls `end` when the stream was re-created, because a consumer would wait for ever for a message that the new stream does
 * not reach, and when `isOver` is called with another reason. Also makes room in the stream.
 */
function watchStream(connection: NatsConnection, position: () => StreamPosition, end: () => void) {
  let error: Error | null = null;
  const stop = (): void => clearInterval(timer);
  const isOver = (reason: string): void => {
    error ??= new Error(reason);
    stop();
    end();
  };
  const makeRoom = createStreamPurger();
  let isChecking = false;
  async function check(): Promise<void> {
    const manager = await jetstreamManager(connection);
    const info = await manager.streams.info(chainSubjects.stream);
    const { created, seq } = position();
    if (info.created !== created || info.state.last_seq < seq) isOver("the stream was made anew");
    else await makeRoom(manager, info, seq);
  }
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    check()
      .catch((failed: unknown) => isOver(errorMessage(failed)))
      .finally(() => (isChecking = false));
  }, WATCH_MS);
  const throwIfOver = (): void => {
    if (error !== null) throw error;
  };
  return { isOver, throwIfOver, stop };
}
