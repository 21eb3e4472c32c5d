import type { TerminalMessageInput } from "@comanda/protocol";
import { expect, it, onTestFinished } from "vitest";
import { storedOrder, syncPage } from "../test/builders.ts";
import { manualWorld } from "../test/manual-world.ts";
import { openTerminalWith } from "./open-with.ts";
import { memoryStorage } from "./outbox/queue/outbox-storage.ts";
import { protocolSchemas } from "./schemas.ts";
import type { SocketListener } from "./session/socket.ts";

/** A terminal that is online, with a hub that the test speaks for. */
async function startTerminal() {
  const world = manualWorld();
  const said: TerminalMessageInput[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<SocketListener>();
  const terminal = await openTerminalWith(protocolSchemas, {
    url: "ws://hub",
    deviceId: "tablet-1",
    token: "t",
    clientVersion: "1.0.0",
    storage: memoryStorage(),
    world,
    openSocket(_url, listener) {
      open(listener);
      return { send: (text) => void said.push(JSON.parse(text) as TerminalMessageInput), close() {} };
    },
  });
  onTestFinished(terminal.stop);
  terminal.start();
  const listener = await opened;
  const tell = (message: object): void => listener.received(JSON.stringify(message));
  listener.opened();
  tell({
    type: "AUTH_OK",
    terminalId: "tablet-1",
    user: { id: 1, name: "Ana", role: "waiter" },
    session: { active: true },
    hubId: "hub-1",
    epoch: "epoch-1",
    protocolVersion: 1,
    caps: ["batch"],
    minClientVersion: null,
    heartbeatMs: 20_000,
    leaseTtlMs: 60_000,
    graceMs: 10_000,
    serverTime: new Date(world.clock.now()).toISOString(),
    offline: false,
  });
  tell(syncPage({ seq: 10 }));
  return { world, tell, resyncs: () => said.filter(({ type }) => type === "RESYNC").length };
}

it("[CLIENT-101] asks again for what is missing when the hub could not answer RESYNC", async () => {
  const { world, tell, resyncs } = await startTerminal();
  const order = storedOrder("A", 1);
  tell({ type: "ORDER_CHANGED", seq: 12, posReference: "A", version: 1, origin: "other", order });
  expect(resyncs()).toBe(1);
  const failed = { errorCode: "INTERNAL_ERROR", error: "the hub failed; see its log", retryable: false };
  tell({ type: "ERROR", requestId: "resync", ...failed });
  expect(resyncs()).toBe(1);
  world.advance(10_000);
  expect(resyncs()).toBe(2);
});
