import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy from all restaurants to headquarters' NATS server that can cut single restaurants off. */
export interface CuttableLine {
  url: string;
  /** Closes the connections with this key, and new ones until `restore`. */
  cut(publicKey: string): void;
  restore(publicKey: string): void;
  /** Keys of all clients that have connected, in the order of their first connection. */
  keys(): readonly string[];
  close(): Promise<void>;
}

/** A client's first message contains its public key. */
const KEY = /"nkey":"(U[A-Z2-7]{55})"/;

export async function openCuttableLine(natsPort: () => number): Promise<CuttableLine> {
  const sockets = new Map<Socket, string | null>();
  const seenKeys = new Set<string>();
  const cutKeys = new Set<string>();
  const server = createServer((restaurant) => {
    const headquarters = connect(natsPort(), "127.0.0.1");
    sockets.set(restaurant, null);
    restaurant.on("data", (data) => {
      const key = sockets.get(restaurant) ?? KEY.exec(data.toString("latin1"))?.[1] ?? null;
      sockets.set(restaurant, key);
      if (key !== null) seenKeys.add(key);
      if (key !== null && cutKeys.has(key)) restaurant.destroy();
      else headquarters.write(data);
    });
    headquarters.pipe(restaurant);
    for (const [one, other] of [
      [restaurant, headquarters],
      [headquarters, restaurant],
    ] as const) {
      one.on("error", () => one.destroy());
      one.once("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut(publicKey) {
      cutKeys.add(publicKey);
      for (const [socket, key] of sockets) if (key === publicKey) socket.destroy();
    },
    restore: (publicKey) => void cutKeys.delete(publicKey),
    keys: () => [...seenKeys],
    async close() {
      for (const socket of sockets.keys()) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
