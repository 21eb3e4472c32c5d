import { createUser } from "@nats-io/nkeys";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { realWorld } from "../../platform/world.ts";
import { startChainHeadquarters } from "../../test/chain/chain-headquarters.ts";
import { freePort } from "../../test/support/free-port.ts";
import { until } from "../../test/support/until.ts";
import { createChainConnection } from "./connect.ts";

/** Connects until the test ends, with pauses a hundred times shorter. `lines` holds the log lines that a manager would see. */
function connectTo(url: string, seed: Uint8Array) {
  const lines: string[] = [];
  let attempts = 0;
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const world = realWorld(log);
  const connection = createChainConnection({
    world: {
      ...world,
      timers: {
        ...world.timers,
        setTimeout: (work, ms) => {
          attempts += 1;
          return world.timers.setTimeout(work, ms / 100);
        },
      },
    },
    enrolled: { restaurantId: "r001", restaurantName: "Santiago", chainName: "Cadena", url },
    seed,
    onConnected: () => undefined,
    onUp: () => undefined,
    onState: () => undefined,
  });
  connection.start();
  onTestFinished(() => connection.stop());
  return { connection, lines, attempts: () => attempts };
}

it("no log line is written per attempt while no address of headquarters can be reached [CHAIN-29]", async () => {
  const { lines, attempts } = connectTo(`nats://127.0.0.1:${await freePort()}`, createUser().getSeed());
  await until("it has tried often", () => attempts() > 12);
  expect(lines).toEqual([]);
});

it("a refused key is logged once, however often the hub tries [CHAIN-29]", async () => {
  const { url } = await startChainHeadquarters();
  const { lines, attempts, connection } = connectTo(url, createUser().getSeed());
  await until("it has tried often", () => attempts() > 8);
  expect(connection.state().kind).toBe("refused");
  expect(lines).toHaveLength(1);
});

it("the log says once that headquarters are away, and once that they are back [CHAIN-29]", async () => {
  const headquarters = await startChainHeadquarters();
  const { lines, connection } = connectTo(headquarters.url, headquarters.seed);
  await until("it is connected", connection.isUp);
  await headquarters.stopServer();
  await until("it is not", () => !connection.isUp());
  await headquarters.start();
  await until("it is again", connection.isUp, 30_000);
  const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual(["headquarters are connected", "headquarters are away", "headquarters are connected"]);
});
