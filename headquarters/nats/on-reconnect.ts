import type { NatsConnection } from "@nats-io/transport-node";

/** Calls `act` each time a lost connection is back. */
export async function onReconnect(connection: NatsConnection, act: () => void): Promise<void> {
  for await (const { type } of connection.status()) if (type === "reconnect") act();
}
