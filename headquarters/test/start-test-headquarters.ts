import { jetstreamManager, type StreamAPI } from "@nats-io/jetstream";
import { createUser } from "@nats-io/nkeys";
import { connect, nkeyAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { chainSubjects } from "@comanda/protocol/chain.ts";
import { pino } from "pino";
import { type Headquarters, startHeadquarters } from "../create-headquarters.ts";
import { chainUsers } from "../db/chain-users.ts";
import { readSettings } from "../settings.ts";
import { testFolder } from "./test-folder.ts";

export interface TestHeadquarters extends Headquarters {
  url: string;
  folder: string;
  /** Time by which the clock is ahead, in ms. */
  clock: { ahead: number };
  logged: string[];
  /** The streams of their NATS server. */
  streams(): Promise<StreamAPI>;
  /** Adds a restaurant whose hub may connect with the returned seed. */
  addRestaurant(id?: string): Promise<TestRestaurant>;
}

export interface TestRestaurant {
  id: string;
  seed: Uint8Array;
  connect(): Promise<NatsConnection>;
}

let made = 0;

/** Starts headquarters with a real NATS server and a real database. */
export async function startTestHeadquarters(environment: NodeJS.ProcessEnv = {}): Promise<TestHeadquarters> {
  const logged: string[] = [];
  const clock = { ahead: 0 };
  const folder = environment["HQ_DATA_DIR"] ?? (await testFolder());
  const settings = readSettings({ HQ_PORT: "0", ...environment, HQ_DATA_DIR: folder });
  const log = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const headquarters = await startHeadquarters(settings, { now: () => Date.now() + clock.ahead, log });
  const { database, nats } = headquarters;
  return {
    ...headquarters,
    url: `http://127.0.0.1:${headquarters.port}`,
    folder,
    clock,
    logged,
    streams: async () => (await jetstreamManager(nats.connection)).streams,
    async addRestaurant(id = `rest${++made}`) {
      const key = createUser();
      await database.query(
        `INSERT INTO restaurants (id, name, created_at, public_key, hub_id, enrolled_at)
         VALUES ($1, $2, now(), $3, $4, now())`,
        [id, `Restaurante ${id}`, key.getPublicKey(), `hub-${id}`],
      );
      await nats.admit(() => chainUsers(database));
      const seed = key.getSeed();
      return { id, seed, connect: () => connectAs(nats.publicUrl, id, seed) };
    },
  };
}

/** Connects as a restaurant. Retries for 5 s, because the server reloads its users with a delay. */
export async function connectAs(url: string, restaurant: string, seed: Uint8Array): Promise<NatsConnection> {
  const tooLate = performance.now() + 5_000;
  for (;;) {
    try {
      return await connect({
        servers: url,
        authenticator: nkeyAuthenticator(seed),
        inboxPrefix: chainSubjects.inbox(restaurant),
        // A connection that arrives during the reload may hang.
        timeout: 700,
        maxReconnectAttempts: -1,
        reconnectTimeWait: 100,
      });
    } catch (error) {
      if (performance.now() > tooLate) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
