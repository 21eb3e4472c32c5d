import { chainSubjects } from "@comanda/protocol/chain.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createLoop } from "../loop.ts";

/** Unanswered requests before a restart: a slow server has some 30 s. */
const TIMES = 3;
/** The limit doubles with each restart in vain up to this, some 4 minutes: the disk may be slow, or full for hours. */
const MOST_TIMES = 8 * TIMES;

/**
 * Calls `restart` after several unanswered requests for the stream. A server whose disk was full may keep its connections but
 * answer nothing, even once there is room again.
 */
export function watchOwn(
  connection: NatsConnection,
  restart: () => void,
  { everyMs = 5_000, answerMs = 5_000 }: { everyMs?: number; answerMs?: number } = {},
) {
  let silent = 0;
  let patience = TIMES;

  async function ask(): Promise<void> {
    const manager = await jetstreamManager(connection, { timeout: answerMs, checkAPI: false });
    await manager.streams.info(chainSubjects.stream);
  }

  async function look(): Promise<number> {
    try {
      await ask();
      silent = 0;
      patience = TIMES;
    } catch {
      silent += 1;
    }
    if (silent >= patience) {
      silent = 0;
      patience = Math.min(2 * patience, MOST_TIMES);
      restart();
    }
    return everyMs;
  }

  const loop = createLoop(look, everyMs);
  loop.start();
  return loop;
}
