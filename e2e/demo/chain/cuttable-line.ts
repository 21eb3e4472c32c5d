import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A proxy from all restaurants to headquarters' NATS server that can cut single restaurants off. */
export interface CuttableLine {
  url: string;
  /** Closes the connections with this key, and new ones until `mend`. */
  cut(publicKey: string): void;
  mend(publicKey: string): void;
  /** Keys of all clients that have connected, in the order of their first connection. */
  keys(): readonly string[];
  close(): Promise<void>;
}

/** A client's first message contains its public key. */
const KEY = /"nkey":"(U[A-Z2-7]{55})"/;

export async function openCuttableLine(natsPort: () => number): Promise<CuttableLine> {
  const sockets = new Map<Socket, string | null>();
  const seen = new Set<string>();
  const isCut = new Set<string>();
  const server = createServer((restaurant) => {
    const headquarters = connect(natsPort(), "127.0.0.1");
    sockets.set(restaurant, null);
    restaurant.on("data", (data) => {
      const key = sockets.get(restaurant) ?? KEY.exec(data.toString("latin1"))?.[1] ?? null;
      sockets.set(restaurant, key);
      if (key !== null) seen.add(key);
      if (key !== null && isCut.has(key)) restaurant.destroy();
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
      isCut.add(publicKey);
      for (const [socket, key] of sockets) if (key === publicKey) socket.destroy();
    },
    mend: (publicKey) => void isCut.delete(publicKey),
    keys: () => [...seen],
    async close() {
      for (const socket of sockets.keys()) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
