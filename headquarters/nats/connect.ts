import { readFile } from "node:fs/promises";
import {
  connect as connectTcp,
  type ConnectionOptions,
  nkeyAuthenticator,
  type NatsConnection,
  wsconnect,
} from "@nats-io/transport-node";
import type { World } from "../world.ts";

/** A server that reloads its users during a handshake never answers it. The next attempt must come while a start still waits. */
const HANDSHAKE_MS = 5_000;

/** Connects headquarters to NATS. A lost connection is retried without limit. */
export async function connectNats(
  { url, seed, caFile }: { url: string; seed: Uint8Array; caFile: string | null },
  { log }: World,
): Promise<NatsConnection> {
  const options: ConnectionOptions = {
    servers: url,
    name: "headquarters",
    timeout: HANDSHAKE_MS,
    authenticator: nkeyAuthenticator(seed),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    // A connection whose peer has vanished is given up within 20 s.
    pingInterval: 10_000,
    maxPingOut: 1,
    ...(caFile !== null && { tls: { ca: await readFile(caFile, "utf8") } }),
  };
  const isWebSocket = url.startsWith("ws");
  const connection = isWebSocket ? await wsconnect(options) : await connectTcp(options);
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") log.warn("the connection to NATS is lost");
      else if (status.type === "reconnect") log.info("the connection to NATS is back");
      else if (status.type === "error") log.warn({ err: status.error }, "NATS refused something");
    }
  })();
  return connection;
}
