import { once } from "node:events";
import net, { type AddressInfo } from "node:net";
import { createUser } from "@nats-io/nkeys";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { realWorld } from "../world.ts";
import { connectNats } from "./connect.ts";

it(
  "a handshake without an answer is given up before the start gives up the server [HQ-626]",
  { tags: "long", timeout: 15_000 },
  async () => {
    const silent = net.createServer((socket) => void socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const url = `nats://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await expect(
      connectNats({ url, seed: createUser().getSeed(), caFile: null }, realWorld(pino({ enabled: false }))),
    ).rejects.toThrow("timeout");
  },
);
