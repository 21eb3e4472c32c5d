import { setTimeout as pause } from "node:timers/promises";
import { zstdCompressSync } from "node:zlib";
import {
  type ChainBatch,
  ChainCursor,
  type ChainDigest,
  chainHeaders,
  type ChainPlace,
  chainSubjects,
  type SentPlace,
  writeSentPlace,
} from "@comanda/protocol/chain.ts";
import { jetstream } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { randomFrom, type SimulatedRestaurant } from "./simulated-restaurant.ts";
import { emptyBatch } from "./empty-batch.ts";

/** Probability (0 to 1) of each fault of a sent batch. */
export interface Faults {
  twice: number;
  /** The stream stores it, but the acknowledgement is lost. */
  lostAck: number;
  /** It begins before headquarters' cursor. */
  overlap: number;
  /** It is not sent, as if the stream had lost it after acknowledging. */
  skipped: number;
}

type Position =
  | { kind: "live"; seq: number; factId: number }
  | { kind: "full"; cut: number; to: number; factId: number };

const PATIENCE_MS = 2_000;

/** Sends a restaurant's history to headquarters as hubs do (protocol/spec/CHAIN.md), with faults. */
export class SimulatedHub {
  readonly restaurant: SimulatedRestaurant;
  private readonly connection: NatsConnection;
  private readonly faults: Faults;
  private readonly random: () => number;
  private readonly stopping = new AbortController();
  private readonly objects: number;
  /** Number of batches to send before the line is lost. */
  private batchesLeft: number;
  /** Number of batches that the stream has stored. */
  private stored = 0;
  private position: Position | null = null;
  private resend: ChainCursor | null = null;
  private confirmed: ChainCursor | null = null;
  private lastWord = performance.now();
  private running: Promise<void> = Promise.resolve();
  isSuperseded = false;
  /** Time by which its clock is ahead, in ms. */
  ahead = 0;

  constructor(
    restaurant: SimulatedRestaurant,
    connection: NatsConnection,
    {
      faults = {},
      seed = 1,
      objects = 50,
      batches = Infinity,
    }: { faults?: Partial<Faults>; seed?: number; objects?: number; batches?: number } = {},
  ) {
    this.batchesLeft = batches;
    this.restaurant = restaurant;
    this.connection = connection;
    this.faults = { twice: 0, lostAck: 0, overlap: 0, skipped: 0, ...faults };
    this.random = randomFrom(seed);
    this.objects = objects;
  }

  start(): this {
    this.connection.subscribe(chainSubjects.down(this.restaurant.id), {
      callback: (error, message) => {
        if (error !== null) return;
        if (message.subject.endsWith(".superseded")) {
          const { generation } = message.json<{ generation: number }>();
          this.isSuperseded = generation > this.restaurant.history.generation;
          return;
        }
        if (message.subject.endsWith(".poke")) return;
        const cursor = ChainCursor.safeParse(message.json());
        if (!cursor.success) return;
        if (message.subject.endsWith(".resend")) this.resend = cursor.data;
        else if (message.subject.endsWith(".cursor")) this.confirm(cursor.data);
      },
    });
    void this.followLine();
    this.running = this.run();
    return this;
  }

  /** Makes the hub ask for headquarters' cursor after a reconnect (CHAIN-2). */
  private async followLine(): Promise<void> {
    for await (const { type } of this.connection.status()) if (type === "reconnect") this.position = null;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Returns whether headquarters have confirmed everything. */
  isDone(): boolean {
    const { epoch, seq, facts, generation } = this.restaurant.history;
    const { confirmed } = this;
    return (
      confirmed !== null &&
      confirmed.isFullDone &&
      confirmed.generation === generation &&
      (confirmed.epoch === epoch || this.isCovered(confirmed)) &&
      confirmed.seq >= seq &&
      confirmed.factId >= (facts.at(-1)?.id ?? 0)
    );
  }

  /** Returns a text that changes whenever the stream stores a batch or headquarters' cursor moves. */
  progress(): string {
    return JSON.stringify([this.stored, this.confirmed]);
  }

  /** Sends the digest of a day, true or not. */
  async reportDay(digest: ChainDigest): Promise<void> {
    const { epoch, seq, factId } = this.restaurant.history;
    const batch = this.batch(seq, seq, { factsAfter: factId, digest });
    await this.send(batch, { epoch, seq, factId });
  }

  private confirm(cursor: ChainCursor): void {
    if (JSON.stringify(cursor) !== JSON.stringify(this.confirmed)) this.lastWord = performance.now();
    this.confirmed = cursor;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        const isMore = await this.step();
        await pause(isMore ? 1 : 20, undefined, { signal });
      } catch {
        await pause(200, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  private async step(): Promise<boolean> {
    if (this.isSuperseded || this.connection.isClosed() || this.batchesLeft <= 0) return false;
    if (this.resend !== null) {
      this.position = this.from(this.resend);
      this.resend = null;
    }
    if (!this.isDone() && performance.now() - this.lastWord > PATIENCE_MS) {
      this.lastWord = performance.now();
      this.position = null;
    }
    if (this.position === null) {
      const { generation, epoch } = this.restaurant.history;
      const who = JSON.stringify({ hubId: this.restaurant.hubId, generation, epoch });
      const answer = await this.connection.request(`ask.${this.restaurant.id}.cursor`, who, { timeout: 1_000 });
      const cursor = ChainCursor.parse(answer.json());
      this.confirm(cursor);
      this.position = this.from(cursor);
    }
    return this.position.kind === "full" ? this.sendFull(this.position) : this.sendChanges(this.position);
  }

  private isCovered(place: ChainPlace): boolean {
    const { epoch, seq, formerEpochs } = this.restaurant.history;
    if (place.epoch === epoch) return place.seq <= seq;
    const former = formerEpochs.find((each) => each.epoch === place.epoch);
    return former !== undefined && place.seq <= former.seq;
  }

  private from(cursor: ChainCursor): Position {
    const { generation, seq, factId: last } = this.restaurant.history;
    const factId = cursor.factId <= last ? cursor.factId : 0;
    if (!cursor.isFullDone || cursor.generation !== generation || !this.isCovered(cursor)) {
      return { kind: "full", cut: seq, to: seq, factId };
    }
    return { kind: "live", seq: cursor.seq, factId };
  }

  /** Returns everything with a `seq`, in order. */
  private entries(): { seq: number; add: (batch: ChainBatch) => void }[] {
    const { orders, removed, tables, items } = this.restaurant.history;
    return [
      ...[...orders.values()].map((each) => ({ seq: each.seq, add: (to: ChainBatch) => void to.orders.push(each) })),
      ...[...removed.values()].map(({ seq, removal }) => ({
        seq,
        add: (to: ChainBatch) => void to.removed.push(removal),
      })),
      ...[...tables.values()].map((each) => ({ seq: each.seq, add: (to: ChainBatch) => void to.tables.push(each) })),
      ...[...items.values()].map((each) => ({ seq: each.seq, add: (to: ChainBatch) => void to.items.push(each) })),
    ].toSorted((one, other) => one.seq - other.seq);
  }

  private batch(from: number, to: number, rest: Partial<ChainBatch>): ChainBatch {
    const { generation, epoch, formerEpochs } = this.restaurant.history;
    return {
      v: 1,
      r: this.restaurant.id,
      hubId: this.restaurant.hubId,
      generation,
      epoch,
      formerEpochs: [...formerEpochs],
      from,
      to,
      at: new Date(Date.now() + this.ahead).toISOString(),
      clock: { isTrusted: true, zone: "America/Santo_Domingo" },
      ...emptyBatch(),
      ...rest,
    };
  }

  private async sendChanges(position: Position & { kind: "live" }): Promise<boolean> {
    const { epoch } = this.restaurant.history;
    const from = this.chance("overlap") ? Math.max(0, position.seq - 5) : position.seq;
    const entries = this.entries().filter(({ seq }) => seq > from);
    const batchEntries = entries.slice(0, this.objects);
    const facts = this.restaurant.history.facts.filter(({ id }) => id > position.factId).slice(0, 20);
    if ((batchEntries.at(-1)?.seq ?? 0) <= position.seq && facts.length === 0) return false;
    const to = Math.max(position.seq, batchEntries.at(-1)?.seq ?? 0);
    const isMore = batchEntries.length < entries.length;
    const batch = this.batch(from, to, { factsAfter: position.factId, facts, ...(isMore && { more: true }) });
    for (const entry of batchEntries) entry.add(batch);
    const place = { epoch, seq: to, factId: facts.at(-1)?.id ?? position.factId };
    await this.send(batch, place);
    this.position = { kind: "live", seq: place.seq, factId: place.factId };
    return isMore;
  }

  private async sendFull({ cut, to, factId }: Position & { kind: "full" }): Promise<boolean> {
    const { epoch } = this.restaurant.history;
    const entries = this.entries().filter(({ seq }) => seq <= to);
    const batchEntries = entries.slice(-this.objects);
    const from = entries.at(-batchEntries.length - 1)?.seq ?? 0;
    const full = from === 0 ? "end" : "part";
    const batch = this.batch(from, to, { full, cut, factsAfter: factId });
    for (const entry of batchEntries) entry.add(batch);
    const place = full === "end" ? { epoch, seq: cut, factId } : null;
    await this.send(batch, place);
    this.position = place === null ? { kind: "full", cut, to: from, factId } : { kind: "live", seq: cut, factId };
    return true;
  }

  private async send(batch: ChainBatch, place: SentPlace | null): Promise<void> {
    const payload = zstdCompressSync(JSON.stringify(batch));
    const head = headers();
    head.set(chainHeaders.version, "1");
    head.set(chainHeaders.place, writeSentPlace(place));
    this.batchesLeft -= 1;
    if (this.chance("skipped")) return;
    for (let times = this.chance("twice") ? 2 : 1; times > 0; times -= 1) {
      await jetstream(this.connection, { timeout: 1_000 }).publish(chainSubjects.batches(batch.r), payload, {
        headers: head,
      });
      this.stored += 1;
    }
    if (this.chance("lostAck")) throw new Error("the acknowledgement was lost");
  }

  private chance(fault: keyof Faults): boolean {
    return this.faults[fault] > 0 && this.random() < this.faults[fault];
  }
}
