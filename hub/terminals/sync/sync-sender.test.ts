import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { HubMessage } from "@comanda/protocol";
import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createChangeLog } from "../../changes/change-log.ts";
import { openMemory } from "../../db/open.ts";
import { createLeaseBook } from "../../leases/lease-book.ts";
import { createLeaseStore } from "../../leases/lease-store.ts";
import { createOrderStore } from "../../orders/store/order-store.ts";
import { realWorld } from "../../platform/world.ts";
import { createBroadcaster } from "../broadcasts/broadcaster.ts";
import { type ActiveTerminal, createTerminalSession } from "../sessions/terminal-session.ts";
import { createSyncSender } from "./sync-sender.ts";
import { createSyncBuilder } from "./sync.ts";

const world = realWorld(pino({ level: "silent" }));

/** A signed-in terminal at a hub with an open register and the menu `new`. */
async function startSender() {
  const server = new WebSocketServer({ port: 0 });
  await once(server, "listening");
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: HubMessage[] = [];
  client.on("message", (data: Buffer) =>
    received.push(...[JSON.parse(data.toString()) as HubMessage | HubMessage[]].flat()),
  );
  const [socket] = (await once(server, "connection")) as [WebSocket];
  onTestFinished(() => {
    client.terminate();
    server.close();
  });
  const session = createTerminalSession({ socket, address: "::1", ordinal: 1, now: 0, onDrained: () => {} });
  const active = { terminalId: "t", seq: 0, isBehind: true, isSynced: true, takesBatches: true, resync: null };
  session.state = { kind: "active", active: active as ActiveTerminal };

  const db = openMemory(world);
  const changes = createChangeLog(db, world);
  const time = world.clock;
  const leases = createLeaseBook({
    world,
    time,
    changes,
    store: createLeaseStore(db),
    whyFinished: () => null,
    isKnown: () => true,
    ttlMs: 60_000,
    graceMs: 10_000,
  });
  const watch = { reportDamagedRow: () => {} };
  const orders = createOrderStore(db);
  const sync = createSyncBuilder({ world, orders, leases, printJobsOf: () => [], db, time, watch });
  const status = { type: "HUB_STATUS", backOffice: "up", pendingForward: 0, attention: 0, diskLow: false } as const;
  const sender = createSyncSender(
    {
      world,
      changes,
      sync,
      pos: { session: () => ({ active: true }), menuVersion: () => "new" },
      status: () => status,
      reportLossOf: async () => {},
    },
    createBroadcaster(world, new Set([session]), () => ""),
  );
  const types = (): string[] => received.map(({ type }) => type);
  return { sender, session, received, types };
}

it("a terminal that fell behind gets the current register and menu [TERM-178]", async () => {
  const { sender, session, received, types } = await startSender();
  sender.catchUp(session);
  await expect.poll(types).toEqual(["SYNC", "HUB_STATUS", "SESSION_CHANGED", "MENU_CHANGED"]);
  expect(received).toContainEqual({ type: "SESSION_CHANGED", session: { active: true } });
  expect(received).toContainEqual({ type: "MENU_CHANGED", menuVersion: "new" });
});

it("a terminal that waited for its SYNC gets what has changed since AUTH_OK [TERM-178]", async () => {
  const { sender, session, types } = await startSender();
  sender.sendUpdates(session, { session: { active: true }, menuVersion: "new" });
  await expect.poll(types).toEqual(["HUB_STATUS"]);
  sender.sendUpdates(session, { session: { active: false }, menuVersion: "old" });
  await expect.poll(types).toEqual(["HUB_STATUS", "HUB_STATUS", "SESSION_CHANGED", "MENU_CHANGED"]);
});

it("a terminal that fell behind and requests a SYNC gets the current register and menu [TERM-178]", async () => {
  const { sender, session, types } = await startSender();
  await sender.resync(session, undefined);
  await expect.poll(types).toEqual(["SYNC", "HUB_STATUS", "SESSION_CHANGED", "MENU_CHANGED"]);
  await sender.resync(session, undefined);
  await expect.poll(types).toEqual(["SYNC", "HUB_STATUS", "SESSION_CHANGED", "MENU_CHANGED", "SYNC"]);
});
