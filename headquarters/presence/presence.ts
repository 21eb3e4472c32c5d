import { brokenInput } from "@comanda/protocol";
import { ChainBeat, chainSubjects, restaurantOf } from "@comanda/protocol/chain.ts";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Database } from "../db/database.ts";
import { rowsOf } from "../db/rows.ts";
import { createFailureLog } from "../failure-log.ts";
import { createJob } from "../loop.ts";
import { parseJson } from "../parse-json.ts";
import type { World } from "../world.ts";
import { LATE_MS, type Listening, OFFLINE_MS } from "./presence-of.ts";

const MAX_BEAT_BYTES = 8 * 1024;
const MAX_DEPTH = 16;
/** How often received beats are written, together, and outages are updated. */
const TICK_MS = 1_000;

/** The last beat of a restaurant, as a row of the table `beats`. */
interface BeatRow {
  restaurant_id: string;
  /** By headquarters' clock. */
  heard_at: Date;
  body: ChainBeat;
}

/** Listens to the beats of restaurants. Stores the last beat of each restaurant, and its outages. */
export function createPresence(
  { database, connection }: { database: Database; connection: NatsConnection },
  world: World,
) {
  let pending = new Map<string, BeatRow>();
  const failures = createFailureLog(world.log, {
    fails: "what is heard of restaurants cannot be written; it is tried again",
    worksAgain: "what is heard of restaurants is written again",
  });
  let listening: Listening = { isOn: true, since: world.now() };
  let writtenAt = listening.since;
  /** The clock may have been set back, before the start or since, so that stored times may lie in the future. */
  let mayBeAhead = true;
  let endListening: () => void = () => undefined;

  function receive(subject: string, data: Uint8Array): void {
    const restaurant = restaurantOf(subject);
    const payload = data.byteLength <= MAX_BEAT_BYTES ? parseJson(data) : undefined;
    const beat = brokenInput(payload, MAX_DEPTH) === null ? ChainBeat.safeParse(payload) : null;
    if (restaurant === null || beat?.success !== true) {
      world.log.debug({ restaurant }, "a beat is none");
      return;
    }
    pending.set(restaurant, { restaurant_id: restaurant, heard_at: new Date(world.now()), body: beat.data });
  }

  /** Begins to listen again after the machine slept, its clock was set, or the database was down: stored beats are outdated. */
  function detectGap(): void {
    const now = world.now();
    mayBeAhead ||= now < writtenAt;
    if (listening.isOn && Math.abs(now - writtenAt) >= LATE_MS) listening = { isOn: true, since: now };
  }

  async function tick(): Promise<void> {
    detectGap();
    const beats = pending;
    pending = new Map();
    try {
      if (mayBeAhead) await clampFutureTimes(database, world.now());
      mayBeAhead = false;
      if (beats.size > 0) await writeBeats(database, [...beats.values()]);
      await endOutages(database, world.now());
      detectGap();
      writtenAt = world.now();
      // Without a connection, silence says nothing about a restaurant.
      if (listening.isOn) await openOutages(database, world.now(), listening.since);
    } catch (error) {
      // Beats received meanwhile are newer.
      pending = new Map([...beats, ...pending]);
      throw error;
    }
  }

  async function watchConnection(): Promise<void> {
    for await (const { type } of connection.status()) {
      const isOn = type === "reconnect";
      // A failed attempt to reconnect also reports a disconnect.
      if (isOn || (type === "disconnect" && listening.isOn)) listening = { isOn, since: world.now() };
    }
  }

  const job = createJob(tick, { firstMs: TICK_MS, everyMs: TICK_MS, failures });
  return {
    start(): void {
      writtenAt = world.now();
      listening = { isOn: true, since: writtenAt };
      const subscription = connection.subscribe(chainSubjects.allBeats, {
        callback: (error, message) => {
          if (error === null) receive(message.subject, message.data);
        },
      });
      endListening = () => subscription.unsubscribe();
      void watchConnection();
      job.start();
    },
    async stop(): Promise<void> {
      endListening();
      await job.stop();
      await job.run();
    },
    /** Writes the received beats, and opens and closes outages. Runs each second by itself. */
    tick: job.run,
    listening(): Listening {
      detectGap();
      return listening;
    },
  };
}

/** Sets times of beats and open outages that lie in the future to now. */
async function clampFutureTimes({ query }: Database, now: number): Promise<void> {
  await query("UPDATE beats SET heard_at = $1 WHERE heard_at > $1", [new Date(now)]);
  await query("UPDATE outages SET began_at = $1 WHERE began_at > $1 AND ended_at IS NULL", [new Date(now)]);
}

/** Writes the last beat of each restaurant, and ends its outage. */
async function writeBeats(database: Database, beats: readonly BeatRow[]): Promise<void> {
  const rows = JSON.stringify(beats);
  const BEATS = `${rowsOf("beats")} AS word`;
  await database.transaction(async ({ query }) => {
    await query(
      `INSERT INTO beats (restaurant_id, heard_at, body)
       SELECT r.id, word.heard_at, word.body FROM ${BEATS} JOIN restaurants r ON r.id = word.restaurant_id
       ON CONFLICT (restaurant_id) DO UPDATE SET heard_at = EXCLUDED.heard_at, body = EXCLUDED.body`,
      [rows],
    );
    await query(
      `UPDATE outages SET ended_at = word.heard_at FROM ${BEATS}
       WHERE outages.restaurant_id = word.restaurant_id AND outages.ended_at IS NULL`,
      [rows],
    );
  });
}

/** Ends the outages of restaurants that have no hub any more or are closed for good. */
async function endOutages({ query }: Database, now: number): Promise<void> {
  await query(
    `UPDATE outages SET ended_at = $1 FROM restaurants r
     WHERE r.id = outages.restaurant_id AND outages.ended_at IS NULL AND (r.public_key IS NULL OR r.is_closed)`,
    [new Date(now)],
  );
}

/** Opens outages after a minute without a beat. They begin at the last beat, or when headquarters began to listen if later. */
async function openOutages({ query }: Database, now: number, listeningSince: number): Promise<void> {
  if (now - listeningSince < OFFLINE_MS) return;
  await query(
    `INSERT INTO outages (restaurant_id, began_at)
     SELECT b.restaurant_id, greatest(b.heard_at, $2) FROM beats b JOIN restaurants r ON r.id = b.restaurant_id
     WHERE b.heard_at <= $1 AND r.public_key IS NOT NULL AND NOT r.is_closed
     ON CONFLICT (restaurant_id) WHERE ended_at IS NULL DO NOTHING`,
    [new Date(now - OFFLINE_MS), new Date(listeningSince)],
  );
}
