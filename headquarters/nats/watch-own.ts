import { chainSubjects } from "@comanda/protocol/chain.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createLoop } from "../loop.ts";

/** Unanswered requests before a restart: a slow server has some 30 s. */
const MIN_LIMIT = 3;
/** The limit doubles with each restart in vain up to this, some 4 minutes: the disk may be slow, or full for hours. */
const MAX_LIMIT = 8 * MIN_LIMIT;

/**
 * Calls `restart` after several unanswered requests for the stream. A server whose disk was full may keep its connections but
 * answer nothing, even once there is room again.
 */
export function watchOwn(
  connection: NatsConnection,
  restart: () => void,
  { everyMs = 5_000, answerMs = 5_000 }: { everyMs?: number; answerMs?: number } = {},
) {
  let unanswered = 0;
  let limit = MIN_LIMIT;

  async function ping(): Promise<void> {
    const manager = await jetstreamManager(connection, { timeout: answerMs, checkAPI: false });
    await manager.streams.info(chainSubjects.stream);
  }

  async function check(): Promise<number> {
    try {
      await ping();
      unanswered = 0;
      limit = MIN_LIMIT;
    } catch {
      unanswered += 1;
    }
    if (unanswered >= limit) {
      unanswered = 0;
      limit = Math.min(2 * limit, MAX_LIMIT);
      restart();
    }
    return everyMs;
  }

  const loop = createLoop(check, everyMs);
  loop.start();
  return loop;
}
