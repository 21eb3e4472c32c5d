import { setTimeout as pause } from "node:timers/promises";
import type { ChainLine } from "../../hub/chain/connection/chain-line.ts";
import { createChainConnection } from "../../hub/chain/connection/connect.ts";
import { createNatsLine, followHeadquarters } from "../../hub/chain/connection/nats-line.ts";
import { createPublisher, type PublisherState } from "../../hub/chain/publishing/publisher.ts";
import { createLog } from "../../hub/platform/log.ts";
import { realWorld } from "../../hub/platform/world.ts";
import { ChainCursor, chainSubjects } from "../../protocol/src/headquarters/chain.ts";
import type { Queries } from "../../headquarters/db/database.ts";
import { differences } from "../../headquarters/test/differences.ts";
import { SimulatedRestaurant } from "../../headquarters/test/simulated-restaurant.ts";
import { simulatedSource } from "./simulated-source.ts";

export interface SimulatedMember {
  restaurant: SimulatedRestaurant;
  /** Makes `steps` changes; `lags` records how long each takes to reach headquarters. */
  makeChanges(steps: number): void;
  isDone(): boolean;
  /** Ms from each commit to headquarters' acknowledgement. */
  lags: number[];
  /** Disconnects the restaurant; its changes wait until it reconnects. */
  disconnect(): Promise<void>;
  /** Connects to headquarters, again after `disconnect`. */
  connect(): void;
  isUp(): boolean;
  state(): PublisherState;
  stop(): Promise<void>;
}

/** Wraps a connection to headquarters so that something goes wrong on it. */
export type Disturb = (line: ChainLine) => ChainLine;

/** Starts all restaurants. Each has its own evening, which depends only on the seed. */
export async function startFleet(
  prepared: readonly { id: string; seed: Uint8Array }[],
  { seed, history, ...options }: { seed: number; url: string; kbps: number; history: number; disturb?: Disturb },
): Promise<SimulatedMember[]> {
  const members: SimulatedMember[] = [];
  for (const [index, { id, seed: hubSeed }] of prepared.entries()) {
    members.push(startMember({ id, hubSeed, seed: seed + index, ...options }, history));
    // Staggered: one process signs for all of them, and signing for all at once would delay each too long.
    await pause(30);
  }
  return members;
}

/** Makes `rate` changes per restaurant and second, at random moments. */
export async function simulateChanges(
  members: readonly SimulatedMember[],
  options: { seconds: number; rate: number; random: () => number; meanwhile?: () => Promise<void> },
): Promise<void> {
  const from = performance.now();
  while (performance.now() - from < options.seconds * 1_000) {
    for (const member of members) if (options.random() < options.rate / 10) member.makeChanges(1);
    await options.meanwhile?.();
    await pause(Math.max(1, 100 - ((performance.now() - from) % 100)));
  }
}

/** Returns how many checks and facts headquarters lack or have twice, and how many sums differ from the restaurants' own. */
export async function compareFleet(
  queries: Queries,
  members: readonly SimulatedMember[],
): Promise<{ lost: number; doubled: number; sums: number }> {
  const counts = { lost: 0, doubled: 0, sums: 0 };
  for (const { restaurant } of members) {
    for (const difference of await differences(queries, restaurant)) {
      if (/(extra|doubled)$/.test(difference)) counts.doubled += 1;
      else if (/^(paid|refunded|products)/.test(difference)) counts.sums += 1;
      else counts.lost += 1;
    }
  }
  return counts;
}

/** Starts a restaurant in memory whose changes are sent by a hub's own publisher. */
function startMember(
  {
    id,
    seed,
    hubSeed,
    url,
    kbps,
    disturb = (line) => line,
  }: { id: string; seed: number; hubSeed: Uint8Array; url: string; kbps: number; disturb?: Disturb },
  history: number,
): SimulatedMember {
  const world = realWorld(createLog("silent"));
  const restaurant = new SimulatedRestaurant(id, `hub-${id}`, seed, Date.now() - history * 2_000);
  restaurant.steps(history);
  const lags: number[] = [];
  let waiting: { seq: number; at: number }[] = [];
  let confirmed: ChainCursor | null = null;
  let link = connectToHeadquarters();

  function noteConfirmed(cursor: ChainCursor): void {
    confirmed = cursor;
    const now = performance.now();
    lags.push(...waiting.filter((each) => each.seq <= cursor.seq).map(({ at }) => now - at));
    waiting = waiting.filter((each) => each.seq > cursor.seq);
  }

  function connectToHeadquarters() {
    let line: ChainLine | null = null;
    const publisher = createPublisher({
      world,
      source: simulatedSource(restaurant),
      line: {
        isUp: () => line?.isUp() ?? false,
        async askCursor(who) {
          const cursor = line === null ? null : await line.askCursor(who);
          if (cursor !== null) noteConfirmed(cursor);
          return cursor;
        },
        lastSent: async () => (line === null ? null : line.lastSent()),
        publish: async (payload, subject) => {
          if (line === null) throw new Error("headquarters are not connected");
          await line.publish(payload, subject);
        },
      },
      restaurantId: id,
      historyDays: 45,
      kbps,
      onState: () => undefined,
    });
    const connection = createChainConnection({
      world,
      enrolled: { restaurantId: id, restaurantName: id, chainName: "Cadena", url },
      seed: hubSeed,
      onConnected({ client, connection: natsConnection }) {
        line = disturb(createNatsLine(client, natsConnection, id, connection.isUp));
        followHeadquarters(natsConnection, id, publisher.listener);
        natsConnection.subscribe(chainSubjects.cursor(id), {
          callback(error, message) {
            const cursor = error === null ? ChainCursor.safeParse(message.json()) : null;
            if (cursor?.success === true) noteConfirmed(cursor.data);
          },
        });
      },
      onUp: () => publisher.listener.onUp(),
      onState: () => undefined,
    });
    publisher.start();
    connection.start();
    return { publisher, connection };
  }

  async function disconnect(): Promise<void> {
    await link.publisher.stop();
    await link.connection.stop();
  }

  return {
    restaurant,
    lags,
    isUp: () => link.connection.isUp(),
    state: () => link.publisher.state(),
    makeChanges(steps) {
      const before = restaurant.history.seq;
      restaurant.steps(steps);
      const { seq } = restaurant.history;
      if (seq > before) waiting.push({ seq, at: performance.now() });
      link.publisher.wake();
    },
    isDone: () =>
      confirmed !== null &&
      confirmed.isFullDone &&
      confirmed.seq >= restaurant.history.seq &&
      confirmed.factId >= restaurant.history.factId &&
      waiting.length === 0,
    disconnect,
    connect: () => void (link = connectToHeadquarters()),
    stop: disconnect,
  };
}
