import { chainSubjects } from "@comanda/protocol/chain.ts";
import { DesiredState } from "@comanda/protocol/proposals.ts";
import { JetStreamApiError } from "@nats-io/jetstream";
import type { KV, KvEntry } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Database } from "../db/database.ts";
import { createFailureLog } from "../failure-log.ts";
import { createJob } from "../loop.ts";
import { onReconnect } from "../nats/on-reconnect.ts";
import { openDesired } from "../nats/prepare-streams.ts";
import { parseJson } from "../parse-json.ts";
import type { World } from "../world.ts";
import { readDocuments, readRevisions, type DocumentRevision, raiseRevisions } from "./document-store.ts";

/** The pause before a retry after a failure, and how often all documents are compared with those at NATS. */
const RETRY_MS = 2_000;
const COMPARE_MS = 60_000;
const TIMEOUT_MS = 2_000;
const BATCH_SIZE = 50;

export type Documents = ReturnType<typeof createDocuments>;

/**
 * Keeps the document of each restaurant at NATS up to date with the database, and notifies the restaurant of changes. Compares
 * everything after each change of a proposal, at the start, after each reconnect and once a minute, because NATS may lose its
 * store.
 */
export function createDocuments(
  { database, connection }: { database: Database; connection: NatsConnection },
  { log, now }: World,
) {
  /** When everything was last compared (`performance.now()`); -Infinity to compare at the next turn. */
  let comparedAt = -Infinity;
  /** After a start or a failure, documents may be at NATS whose restaurants were not notified. */
  let notifiesAll = true;
  const failures = createFailureLog(log, {
    fails: "documents cannot be written; it is tried again",
    worksAgain: "documents are written again",
  });

  async function turn(): Promise<void> {
    if (performance.now() - comparedAt < COMPARE_MS) return;
    comparedAt = performance.now();
    try {
      await sync();
      notifiesAll = false;
    } catch (error) {
      comparedAt = -Infinity;
      notifiesAll = true;
      throw error;
    }
  }

  async function sync(): Promise<void> {
    const revisions = await readRevisions(database);
    const bucket = await openDesired(connection, { timeoutMs: TIMEOUT_MS });
    for (let n = 0; n < revisions.length && !job.isStopped(); n += BATCH_SIZE) {
      await syncBatch(bucket, revisions.slice(n, n + BATCH_SIZE));
    }
  }

  async function syncBatch(bucket: KV, revisions: readonly DocumentRevision[]): Promise<void> {
    const entries = new Map(await Promise.all(revisions.map(async ({ id }) => [id, await bucket.get(id)] as const)));
    const revAt = (id: string): number => revOf(entries.get(id) ?? null);
    const behind = revisions.filter(({ id, rev }) => revAt(id) !== rev || (notifiesAll && rev > 0)).map(({ id }) => id);
    if (behind.length === 0) return;
    const newer = revisions.filter(({ id, rev }) => revAt(id) > rev);
    if (newer.length > 0) log.warn({ restaurants: newer.map(({ id }) => id) }, "documents are newer than the database");
    await raiseRevisions(
      database,
      newer.map(({ id }) => ({ id, rev: revAt(id) })),
    );
    const documents = await readDocuments(database, behind, now());
    const written = await Promise.all(
      documents.map(async ({ id, document }) => {
        const isThere = revAt(id) === document.rev;
        return isThere || (await put(bucket, id, document, entries.get(id) ?? null)) ? [id] : [];
      }),
    );
    for (const id of written.flat()) connection.publish(chainSubjects.poke(id));
  }

  /** Replaces `entry` only while it is current, so that older data never overwrites newer. Returns whether it was replaced. */
  async function put(bucket: KV, id: string, document: DesiredState, entry: KvEntry | null): Promise<boolean> {
    try {
      await bucket.put(id, JSON.stringify(document), { previousSeq: entry?.revision ?? 0 });
      return true;
    } catch (error) {
      if (!(error instanceof JetStreamApiError)) throw error;
      log.warn({ err: error, restaurant: id }, "a document was refused");
      comparedAt = -Infinity;
      return false;
    }
  }

  function write(): void {
    comparedAt = -Infinity;
    void job.run();
  }

  const job = createJob(turn, { everyMs: RETRY_MS, failures });
  return {
    start(): void {
      job.start();
      void onReconnect(connection, write);
    },
    /** Writes changed documents in the background, and retries failures. Call it after the commit. */
    write,
    /** Stops after the current turn. */
    stop: job.stop,
  };
}

/** Returns the revision of the document in an entry: 0 without an entry, -1 for an invalid document. */
function revOf(entry: KvEntry | null): number {
  if (entry === null) return 0;
  return DesiredState.safeParse(parseJson(entry.value)).data?.rev ?? -1;
}
