import { chainSubjects } from "@comanda/protocol/chain.ts";
import type { JetStreamManager, StreamInfo } from "@nats-io/jetstream";

/**
 * Removes batches that were applied, where they take half of what a restaurant may have in the stream, or half of the stream:
 * it refuses what is new when it is full, and keeps for days what nobody needs any more. Returns what is called with the
 * stream as it is and the last message that was applied.
 */
export function createRoomMaker(): (manager: JetStreamManager, info: StreamInfo, appliedTo: number) => Promise<void> {
  let lookedAt = -Infinity;

  return async (manager, { config, state }, appliedTo) => {
    const seq = appliedTo + 1;
    const { name, max_bytes: maxBytes, max_msgs_per_subject: mostOfOne } = config;
    if (maxBytes > 0 && state.bytes > maxBytes / 2) await manager.streams.purge(name, { seq });
    // Nobody's part can have become full in so few messages.
    if (mostOfOne <= 0 || state.messages < mostOfOne / 2 || state.last_seq - lookedAt < mostOfOne / 4) return;
    lookedAt = state.last_seq;
    const counted = await manager.streams.info(name, { subjects_filter: chainSubjects.allBatches });
    for (const [filter, messages] of Object.entries(counted.state.subjects ?? {})) {
      if (messages >= mostOfOne / 2) await manager.streams.purge(name, { filter, seq });
    }
  };
}
