import { createChainConnection } from "../../hub/chain/connect.ts";
import { createNatsLine, followHeadquarters } from "../../hub/chain/nats-line.ts";
import { createPublisher } from "../../hub/chain/publisher.ts";
import { createLog } from "../../hub/platform/log.ts";
import { realWorld } from "../../hub/platform/world.ts";
import { ChainCursor, chainSubjects } from "../../protocol/src/chain.ts";
import { SimulatedRestaurant } from "../../headquarters/test/simulated-restaurant.ts";
import { simulatedSource } from "./simulated-source.ts";

export interface SimulatedMember {
  restaurant: SimulatedRestaurant;
  /** So many things happen; how long each takes to be seen at headquarters is measured. */
  happen(steps: number): void;
  isDone(): boolean;
  /** Ms from the commit to headquarters' word that they have it. */
  lags: number[];
  stop(): Promise<void>;
}

/** A restaurant in memory whose changes a hub's own publisher sends. */
export function startMember(
  { id, seed, hubSeed, url, kbps }: { id: string; seed: number; hubSeed: Uint8Array; url: string; kbps: number },
  history: number,
): SimulatedMember {
  const world = realWorld(createLog("silent"));
  const restaurant = new SimulatedRestaurant(id, `hub-${id}`, seed, Date.now() - history * 2_000);
  restaurant.steps(history);
  const lags: number[] = [];
  let waiting: { seq: number; at: number }[] = [];
  let confirmed: ChainCursor | null = null;
  let line: ReturnType<typeof createNatsLine> | null = null;

  const publisher = createPublisher({
    world,
    source: simulatedSource(restaurant),
    line: {
      isUp: () => line?.isUp() ?? false,
      askCursor: async (who) => (line === null ? null : line.askCursor(who)),
      lastSent: async () => (line === null ? null : line.lastSent()),
      publish: async (payload, place) => {
        if (line === null) throw new Error("headquarters are not connected");
        await line.publish(payload, place);
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
    onConnected({ client, connection: made }) {
      line = createNatsLine(client, made, id, connection.isUp);
      followHeadquarters(made, id, publisher.listener);
      made.subscribe(chainSubjects.cursor(id), {
        callback(error, message) {
          const word = error === null ? ChainCursor.safeParse(message.json()) : null;
          if (word?.success !== true) return;
          confirmed = word.data;
          const now = performance.now();
          const { seq } = word.data;
          lags.push(...waiting.filter((each) => each.seq <= seq).map(({ at }) => now - at));
          waiting = waiting.filter((each) => each.seq > seq);
        },
      });
    },
    onUp: () => publisher.listener.onUp(),
    onState: () => undefined,
  });
  publisher.start();
  connection.start();

  return {
    restaurant,
    lags,
    happen(steps) {
      const before = restaurant.history.seq;
      restaurant.steps(steps);
      const { seq } = restaurant.history;
      if (seq > before) waiting.push({ seq, at: performance.now() });
      publisher.wake();
    },
    isDone: () =>
      confirmed !== null && confirmed.isFullDone && confirmed.seq >= restaurant.history.seq && waiting.length === 0,
    async stop() {
      await publisher.stop();
      await connection.stop();
    },
  };
}
