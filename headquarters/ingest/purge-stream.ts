import { chainSubjects } from "@comanda/protocol/chain.ts";
import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";

/**
 * Returns a function that purges applied batches when the stream, or a restaurant's share of it, is half full: a full stream
 * refuses new batches, and keeps applied ones for days. Call it with the state of the stream and the sequence of the last
 * applied message.
 */
export function createStreamPurger(): (
  manager: JetStreamManager,
  info: StreamInfo,
  appliedTo: number,
) => Promise<void> {
  let lastCheckedSeq = -Infinity;

  return async (manager, { config, state }, appliedTo) => {
    const seq = appliedTo + 1;
    const { name, max_bytes: maxBytes, max_msgs_per_subject: maxPerSubject } = config;
    if (maxBytes > 0 && state.bytes > maxBytes / 2) await manager.streams.purge(name, { seq });
    // So few messages cannot have filled any restaurant's share.
    if (maxPerSubject <= 0 || state.messages < maxPerSubject / 2 || state.last_seq - lastCheckedSeq < maxPerSubject / 4)
      return;
    lastCheckedSeq = state.last_seq;
    const counted = await manager.streams.info(name, { subjects_filter: chainSubjects.allBatches });
    for (const [filter, messages] of Object.entries(counted.state.subjects ?? {})) {
      if (messages >= maxPerSubject / 2) await manager.streams.purge(name, { filter, seq });
    }
  };
}
