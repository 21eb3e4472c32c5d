import { chainSubjects } from "@comanda/protocol/chain.ts";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { startLoop } from "../loop.ts";

const EVERY_MS = 5_000;
const ANSWER_MS = 5_000;
/** So often without an answer in between: one that is slow has some 30 s. */
const TIMES = 3;

/**
 * Calls `restart` where the stream does not answer again and again: a server whose disk was full may hold its connections and
 * answer nothing any more, also when there is room again.
 */
export function watchOwn(connection: NatsConnection, restart: () => void): { stop(): Promise<void> } {
  let silent = 0;

  async function look(): Promise<number> {
    const manager = await jetstreamManager(connection, { timeout: ANSWER_MS, checkAPI: false });
    silent = await manager.streams.info(chainSubjects.stream).then(
      () => 0,
      () => silent + 1,
    );
    if (silent < TIMES) return EVERY_MS;
    silent = 0;
    restart();
    return EVERY_MS;
  }

  return startLoop(look, EVERY_MS);
}
