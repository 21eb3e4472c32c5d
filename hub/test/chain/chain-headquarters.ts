import { createServer } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { zstdDecompressSync } from "node:zlib";
import { jetstreamManager, type JetStreamManager, type StoredMsg } from "@nats-io/jetstream";
import { createUser } from "@nats-io/nkeys";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import type { ItemState, StoredOrder, TableState } from "@comanda/protocol";
import {
  ChainBatch,
  type ChainCursor,
  type ChainDigest,
  type ChainFact,
  type ChainRemoval,
  chainSubjects,
  ChainSender,
  type Enrolled,
  Enrolment,
  MAX_BATCH_BYTES,
  MAX_BATCH_OBJECTS,
  MAX_UNPACKED_BYTES,
  noCursor,
} from "@comanda/protocol/chain.ts";
import { freePort } from "../support/free-port.ts";

const repo = path.resolve(import.meta.dirname, "../../..");
const RESTAURANT = "r001";
/** Subject prefix of the proposal documents. */
const DOCUMENTS = "$KV.desired";

interface NatsServer {
  reload(): void;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** State of the restaurant at headquarters. */
export class ReceivedRestaurant {
  readonly orders = new Map<string, { seq: number; order: StoredOrder | null; fullId: number; isGone: boolean }>();
  readonly removed = new Map<string, ChainRemoval & { fullId: number; isGone: boolean }>();
  readonly tables = new Map<number, { seq: number; table: TableState }>();
  readonly items = new Map<string, { seq: number; item: ItemState }>();
  readonly facts = new Map<string, ChainFact>();
  cursor: ChainCursor & { hubId: string } = { ...noCursor, hubId: "" };
  transfer: { epoch: string; cut: number; from: number } | null = null;
  fullId = 0;
  /** Days that the cursor answer reports as differing. */
  differing: string[] = [];
  /** Batches other than digests. */
  readonly batches: ChainBatch[] = [];
  /** Digests that arrived when no earlier change was missing. */
  readonly digests: ChainDigest[] = [];
  readonly counts = { applied: 0, duplicates: 0, gaps: 0, quarantined: 0, superseded: 0, transfers: 0 };

  /** Returns the current checks: version by reference. */
  versions(): Map<string, number> {
    const current = [...this.orders].filter(([, { isGone, order }]) => !isGone && order !== null);
    return new Map(current.map(([posReference, { order }]) => [posReference, order?.version ?? 0]));
  }

  removals(): Map<string, number> {
    return new Map([...this.removed].filter(([, { isGone }]) => !isGone).map(([ref, { version }]) => [ref, version]));
  }

  /** Applies a batch and returns the outcome. */
  apply(batch: ChainBatch): "applied" | "duplicate" | "gap" | "quarantined" | "superseded" {
    const { cursor } = this;
    const isKnownHub = cursor.hubId === "" || cursor.hubId === batch.hubId;
    if (batch.generation < cursor.generation) return "superseded";
    if (batch.full !== undefined) return this.applyFull(batch);
    if (!isKnownHub || !cursor.isFullDone || batch.generation > cursor.generation) return "gap";
    if (batch.epoch !== cursor.epoch) {
      const former = batch.formerEpochs.find(({ epoch }) => epoch === cursor.epoch);
      if (former === undefined) return "quarantined";
      if (cursor.seq > former.seq) return "gap";
    }
    if (batch.from > cursor.seq || batch.factsAfter > cursor.factId) return "gap";
    const facts = batch.facts.filter(({ id }) => id > cursor.factId);
    if (batch.digest !== undefined && batch.to === cursor.seq) {
      this.digests.push(batch.digest);
      return "applied";
    }
    if (batch.to <= cursor.seq && facts.length === 0 && batch.epoch === cursor.epoch) return "duplicate";
    this.store(batch, cursor.seq);
    for (const fact of facts) this.facts.set(`${batch.epoch} ${fact.id}`, fact);
    const factId = facts.at(-1)?.id ?? cursor.factId;
    this.cursor = { ...cursor, epoch: batch.epoch, seq: Math.max(cursor.seq, batch.to), factId };
    return "applied";
  }

  private applyFull(batch: ChainBatch): "applied" | "duplicate" | "gap" | "quarantined" {
    const { cursor } = this;
    const { epoch, generation, hubId, from, to, cut = -1 } = batch;
    const isOwnHistory =
      epoch === cursor.epoch ||
      batch.formerEpochs.some((former) => former.epoch === cursor.epoch) ||
      cursor.hubId !== hubId;
    if (generation === cursor.generation && !isOwnHistory) return "quarantined";
    const { transfer } = this;
    if (transfer === null || transfer.epoch !== epoch || transfer.cut !== cut) {
      if (to !== cut) return "gap";
      this.fullId += 1;
      this.counts.transfers += 1;
    } else if (to > transfer.from) {
      return "duplicate";
    } else if (to < transfer.from) {
      return "gap";
    }
    this.transfer = { epoch, cut, from };
    this.store(batch, -1);
    if (batch.full === "part") return "applied";
    this.transfer = null;
    for (const each of [...this.orders.values(), ...this.removed.values()]) each.isGone ||= each.fullId < this.fullId;
    const factId = cursor.hubId === hubId ? cursor.factId : 0;
    this.cursor = { hubId, generation, epoch, seq: cut, factId, isFullDone: true };
    return "applied";
  }

  private store(batch: ChainBatch, above: number): void {
    const { fullId } = this;
    for (const entry of batch.orders) {
      if (entry.seq <= above) continue;
      const order = "order" in entry ? entry.order : null;
      const posReference = order?.posReference ?? (entry as { posReference: string }).posReference;
      this.orders.set(posReference, { seq: entry.seq, order, fullId, isGone: false });
      this.removed.delete(posReference);
    }
    for (const removal of batch.removed) {
      if (removal.seq <= above) continue;
      this.orders.delete(removal.posReference);
      this.removed.set(removal.posReference, { ...removal, fullId, isGone: false });
    }
    for (const { seq, table } of batch.tables) if (seq > above) this.tables.set(table.tableId, { seq, table });
    for (const { seq, item } of batch.items) if (seq > above) this.items.set(String(item.productId), { seq, item });
  }
}

/**
 * Starts a real nats-server with its own store, and a small receiver that handles batches as headquarters must
 * (protocol/spec/CHAIN.md). Everything stops with the test.
 */
export async function startChainHeadquarters() {
  const folder = mkdtempSync(path.join(tmpdir(), "chain-"));
  const port = await freePort();
  const url = `nats://127.0.0.1:${port}`;
  const first = createUser();
  const keys = new Map([[first.getPublicKey(), RESTAURANT]]);
  const configFile = path.join(folder, "nats.conf");
  const { findNatsServer } = await importFromHeadquarters<{ findNatsServer(cache: string): Promise<string> }>(
    "find-server.ts",
  );
  const { runNatsServer } = await importFromHeadquarters<{ runNatsServer(options: object): Promise<NatsServer> }>(
    "run-server.ts",
  );
  const program = await findNatsServer(path.join(repo, ".cache"));
  const received = new ReceivedRestaurant();

  let server: NatsServer | null = null;
  let admin: NatsConnection | null = null;
  let manager: JetStreamManager | null = null;
  let position = { created: "", seq: 0 };
  let isReceiving = false;
  let receiving: Promise<void> = Promise.resolve();
  let answersCursor = true;

  function writeConfig(): void {
    const users = [...keys].map(([nkey, r]) => `{ nkey: ${nkey}, permissions: ${permissionsOf(r)} }`);
    writeFileSync(
      configFile,
      `port: ${port}
host: "127.0.0.1"
jetstream { store_dir: ${JSON.stringify(path.join(folder, "store"))}, max_file: 1GB, max_mem: 64MB }
accounts {
  CHAIN { jetstream: enabled, users: [ { user: hq, password: hq }, ${users.join(", ")} ] }
}
`,
    );
  }

  async function start(): Promise<void> {
    writeConfig();
    server = await runNatsServer({ program, configFile, port, logFile: path.join(folder, "nats.log") });
    admin = await connect({ servers: url, user: "hq", pass: "hq", noAsyncTraces: true });
    manager = await jetstreamManager(admin);
    await addStream({
      name: chainSubjects.stream,
      subjects: [chainSubjects.allBatches],
      max_msgs_per_subject: 20_000,
      max_bytes: 200 * 1024 * 1024,
      discard: "new",
      discard_new_per_subject: true,
      allow_direct: true,
    });
    // The stream behind the key-value bucket `desired`.
    await addStream({ name: "KV_desired", subjects: [`${DOCUMENTS}.>`], max_msgs_per_subject: 20, allow_direct: true });
    admin.subscribe(chainSubjects.allCursorQuestions, {
      callback(_, message) {
        if (!answersCursor) return;
        const sender = ChainSender.parse(message.json());
        const isOther = received.cursor.hubId !== sender.hubId;
        message.respond(JSON.stringify(isOther ? noCursor : cursorOf()));
      },
    });
  }

  async function addStream(config: Parameters<JetStreamManager["streams"]["add"]>[0]): Promise<void> {
    try {
      await manager?.streams.add(config);
    } catch (error) {
      if (!String(error).includes("already in use")) throw error;
    }
  }

  const cursorOf = (): ChainCursor => {
    const { hubId: _, ...cursor } = received.cursor;
    return { ...cursor, ...(received.differing.length > 0 && { differing: received.differing }) };
  };

  async function receive(): Promise<void> {
    while (isReceiving) {
      const message = await nextMessage();
      if (message === null) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        continue;
      }
      position.seq = message.seq;
      handle(message);
    }
  }

  async function nextMessage(): Promise<StoredMsg | null> {
    try {
      const { created, state } = (await manager?.streams.info(chainSubjects.stream)) ?? {};
      if (created === undefined || state === undefined) return null;
      if (position.created !== created || state.last_seq < position.seq) position = { created, seq: 0 };
      if (state.last_seq === position.seq) return null;
      const query = { seq: position.seq + 1, next_by_subj: chainSubjects.allBatches };
      return (await manager?.direct.getMessage(chainSubjects.stream, query)) ?? null;
    } catch {
      return null;
    }
  }

  function handle(message: StoredMsg): void {
    if (message.data.byteLength > MAX_BATCH_BYTES) throw new Error("a batch is too large");
    const text = zstdDecompressSync(message.data, { maxOutputLength: MAX_UNPACKED_BYTES }).toString();
    const batch = ChainBatch.parse(JSON.parse(text));
    const objects = [...batch.orders, ...batch.removed, ...batch.tables, ...batch.items];
    if (objects.length > MAX_BATCH_OBJECTS) throw new Error("a batch has too many objects");
    for (const { seq } of objects) {
      if (seq <= batch.from || seq > batch.to) throw new Error(`${seq} lies outside of ${batch.from} to ${batch.to}`);
    }
    if (batch.digest === undefined) received.batches.push(batch);
    const outcome = received.apply(batch);
    const counted = { applied: "applied", duplicate: "duplicates", gap: "gaps" } as const;
    if (outcome === "quarantined" || outcome === "superseded") received.counts[outcome] += 1;
    else received.counts[counted[outcome]] += 1;
    if (outcome === "gap") publish(chainSubjects.resend(batch.r), cursorOf());
    else if (outcome === "superseded") {
      publish(chainSubjects.superseded(batch.r), { generation: received.cursor.generation });
    } else publish(chainSubjects.cursor(batch.r), cursorOf());
  }

  function publish(subject: string, payload: unknown): void {
    admin?.publish(subject, typeof payload === "string" ? payload : JSON.stringify(payload));
  }

  const receiver = {
    start(): void {
      isReceiving = true;
      receiving = receive();
    },
    async stop(): Promise<void> {
      isReceiving = false;
      await receiving;
    },
  };

  const headquarters = {
    url,
    received,
    restaurantId: RESTAURANT,
    receiver,
    publish,
    admin: (): NatsConnection => {
      if (admin === null) throw new Error("headquarters are off");
      return admin;
    },
    manager: (): JetStreamManager => {
      if (manager === null) throw new Error("headquarters are off");
      return manager;
    },
    /** Stores the proposal document and notifies the hub. */
    async propose(rev: number, proposals: readonly unknown[]): Promise<void> {
      await admin?.request(`${DOCUMENTS}.${RESTAURANT}`, JSON.stringify({ rev, proposals }));
      publish(chainSubjects.poke(RESTAURANT), "");
    },
    /** Sets whether cursor questions of hubs are answered. */
    answerCursors: (answers: boolean): void => void (answersCursor = answers),
    /** Admits a public nkey as the restaurant's. */
    admit(publicKey: string): void {
      keys.set(publicKey, RESTAURANT);
      writeConfig();
      server?.reload();
    },
    revoke(publicKey: string): void {
      keys.delete(publicKey);
      writeConfig();
      server?.reload();
    },
    /** Seed of an admitted key. */
    seed: first.getSeed(),
    /** Kills and restarts nats-server. Deletes its store if `wipe`. */
    async killServer({ wipe = false, whileStopped }: { wipe?: boolean; whileStopped?: () => Promise<unknown> } = {}) {
      await admin?.close();
      await server?.kill();
      if (wipe) rmSync(path.join(folder, "store"), { recursive: true, force: true });
      await whileStopped?.();
      await start();
    },
    async stopServer(): Promise<void> {
      await admin?.close();
      await server?.kill();
    },
    start,
  };

  // Enrolment server: one code, valid for one key.
  let code: string | null = null;
  let usedBy: string | null = null;
  let losesAnswer = false;
  let refusal = { status: 403, errorCode: "ENROLMENT_CODE_WRONG" };
  const enrolments: Enrolment[] = [];
  const enrolmentServer = createServer((request, response) => {
    void (async () => {
      let text = "";
      for await (const chunk of request) text += String(chunk);
      const enrolment = Enrolment.parse(JSON.parse(text));
      enrolments.push(enrolment);
      const isOpen = usedBy === null || usedBy === enrolment.publicKey;
      const isRight = request.url === "/enroll" && enrolment.code === code && isOpen;
      if (isRight && losesAnswer) {
        losesAnswer = false;
        usedBy = enrolment.publicKey;
        request.socket.destroy();
        return;
      }
      response.writeHead(isRight ? 200 : refusal.status, { "content-type": "application/json" });
      if (!isRight) {
        response.end(JSON.stringify({ error: "no", errorCode: refusal.errorCode }));
        return;
      }
      usedBy = enrolment.publicKey;
      headquarters.admit(enrolment.publicKey);
      const enrolled: Enrolled = {
        restaurantId: RESTAURANT,
        restaurantName: "Santiago Centro",
        chainName: "Cadena",
        url,
      };
      response.end(JSON.stringify(enrolled));
    })();
  });
  enrolmentServer.listen(0, "127.0.0.1");
  await once(enrolmentServer, "listening");
  const enrolling = {
    address: `http://127.0.0.1:${(enrolmentServer.address() as AddressInfo).port}`,
    enrolments,
    /** Sets the answer to a wrong code. */
    refuseAs(status: number, errorCode: string): void {
      refusal = { status, errorCode };
    },
    /** Drops the connection once after accepting a code, before the hub gets the answer. */
    loseAnswer: (): void => void (losesAnswer = true),
    /** Creates and returns a code for one use. */
    showCode(): string {
      code = "ABCD2345";
      usedBy = null;
      return "abcd-2345";
    },
  };

  onTestFinished(async () => {
    enrolmentServer.close();
    await receiver.stop();
    await admin?.close();
    await server?.kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await start();
  receiver.start();
  return { ...headquarters, enrolling };
}

export type ChainHeadquarters = Awaited<ReturnType<typeof startChainHeadquarters>>;

/** The minimal permissions of a hub, without a wildcard below `$JS.API`. */
function permissionsOf(r: string): string {
  const publish = [`up.${r}.>`, `beat.${r}`, `ask.${r}.>`, chainSubjects.lastBatch(r), chainSubjects.desired(r)];
  const subscribe = [chainSubjects.down(r), `${chainSubjects.inbox(r)}.>`];
  const list = (subjects: string[]): string => `[${subjects.map((each) => JSON.stringify(each)).join(", ")}]`;
  return `{ publish: ${list(publish)}, subscribe: ${list(subscribe)}, allow_responses: { max: 64, expires: "2m" } }`;
}

/** Imports a module of headquarters at run time: the hub must not depend on that package. */
async function importFromHeadquarters<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(path.join(repo, "headquarters/nats", file)).href)) as T;
}
