import { chainSubjects } from "@comanda/protocol/chain.ts";
import {
  DiscardPolicy,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";

const SECOND_NS = 1_000_000_000;
const DESIRED = "desired";

/** The stream that buffers batches for the ingester. A restaurant that fills its share blocks only itself. */
const buffer = {
  name: chainSubjects.stream,
  subjects: [chainSubjects.allBatches],
  retention: RetentionPolicy.Limits,
  storage: StorageType.File,
  max_age: 72 * 3600 * SECOND_NS,
  max_msgs_per_subject: 20_000,
  max_bytes: 20_000_000_000,
  max_msg_size: 1024 * 1024,
  discard: DiscardPolicy.New,
  discard_new_per_subject: true,
  allow_direct: true,
  duplicate_window: 120 * SECOND_NS,
};

/** Creates the stream and the bucket that headquarters need, or updates the stream's configuration. */
export async function prepareStreams(connection: NatsConnection): Promise<void> {
  const { streams } = await jetstreamManager(connection);
  try {
    const { config } = await streams.info(buffer.name);
    const differs = Object.entries(buffer).some(([name, value]) => {
      const now: unknown = config[name as keyof typeof config];
      return JSON.stringify(now) !== JSON.stringify(value);
    });
    if (differs) await streams.update(buffer.name, buffer);
  } catch (error) {
    if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error;
    await streams.add(buffer);
  }
  await new Kvm(jetstream(connection)).create(DESIRED, { history: 20 });
}

/** Opens the bucket with a document of proposals for each restaurant. Sends no request: the bucket may not exist. */
export function openDesired(connection: NatsConnection, { timeoutMs }: { timeoutMs: number }): Promise<KV> {
  return new Kvm(jetstream(connection, { timeout: timeoutMs })).open(DESIRED, { allow_direct: true });
}
