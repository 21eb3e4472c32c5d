import { chainSubjects } from "@comanda/protocol/chain.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { createLoop } from "../loop.ts";

/** So often without an answer: one that is slow has some 30 s. */
const TIMES = 3;
/** Where it was ended in vain it has twice as long each time, up to some 4 minutes: its disk may be slow, or full for hours. */
const MOST_TIMES = 8 * TIMES;

/**
 * Calls `restart` where the stream does not answer again and again: a server whose disk was full may hold its connections and
 * answer nothing any more, also when there is room again.
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
