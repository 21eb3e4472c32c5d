import { setImmediate } from "node:timers/promises";
import type { TerminalMessageInput } from "@comanda/protocol";
import { expect, it, onTestFinished } from "vitest";
import { content, line, storedOrder, syncPage } from "../test/builders.ts";
import { manualWorld } from "../test/manual-world.ts";
import { openTerminalWith } from "./open-with.ts";
import { memoryStorage } from "./outbox/queue/outbox-storage.ts";
import { protocolSchemas } from "./schemas.ts";
import type { SocketListener } from "./session/socket.ts";

/** An online terminal, with a hub that the test simulates. */
async function startTerminal() {
  const world = manualWorld();
  const messages: TerminalMessageInput[] = [];
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
      return { send: (text) => void messages.push(JSON.parse(text) as TerminalMessageInput), close() {} };
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
  return { world, terminal, messages, tell, resyncs: () => messages.filter(({ type }) => type === "RESYNC").length };
}

it("a lease that the SYNC of a running session does not list is requested again [CLIENT-51]", async () => {
  const { terminal, messages, tell } = await startTerminal();
  const requests = () => messages.filter((message) => message.type === "LEASE_ACQUIRE");
  const lost: unknown[] = [];
  terminal.on("leaseLost", (event) => lost.push(event));
  const lease = terminal.acquireLease("A");
  const [{ requestId } = { requestId: "" }] = requests();
  const expiresAt = new Date(terminal.now() + 60_000).toISOString();
  const granted = { posReference: "A", leaseId: "lease-1", role: "editor", expiresAt, ttlMs: 60_000 };
  tell({ type: "LEASE_GRANTED", requestId, ...granted });
  await lease;
  const other = { terminalId: "other", userName: "Luis", role: "editor" as const, expiresAt };
  tell(syncPage({ seq: 12, leases: [{ posReference: "A", leaseId: "lease-2", ...other }] }));
  const again = requests().at(-1)?.requestId;
  expect(requests()).toHaveLength(2);
  const denied = { posReference: "A", errorCode: "LEASE_HELD", error: "Luis has it", holder: other };
  tell({ type: "LEASE_DENIED", requestId: again, ...denied });
  await expect.poll(() => lost).toMatchObject([{ posReference: "A", by: { terminalId: "other" } }]);
});

it("a lease that was released while it was requested again is not kept [CLIENT-51]", async () => {
  const { terminal, messages, tell } = await startTerminal();
  const requestOf = (type: TerminalMessageInput["type"]) =>
    messages.findLast((message) => message.type === type) as { requestId?: string } | undefined;
  const expiresAt = new Date(terminal.now() + 60_000).toISOString();
  const granted = { type: "LEASE_GRANTED", posReference: "A", role: "editor", expiresAt, ttlMs: 60_000 };
  const grant = (leaseId: string) => tell({ ...granted, leaseId, requestId: requestOf("LEASE_ACQUIRE")?.requestId });
  const lease = terminal.acquireLease("A");
  grant("lease-1");
  await lease;
  tell(syncPage({ seq: 12 }));
  const released = terminal.releaseLease("A");
  grant("lease-2");
  tell({ type: "LEASE_RELEASED", requestId: requestOf("LEASE_RELEASE")?.requestId, posReference: "A" });
  await released;
  await setImmediate();
  expect(terminal.leaseHolder("A")).toBeNull();
  const requests = () => messages.filter(({ type }) => type === "LEASE_ACQUIRE").length;
  tell(syncPage({ seq: 14 }));
  expect(requests()).toBe(2);
});

it("a lease granted after its release is given back, and its former holder is not shown any more [CLIENT-51]", async () => {
  const { terminal, messages, tell } = await startTerminal();
  const all = (type: TerminalMessageInput["type"]) =>
    messages.filter((message) => message.type === type) as { requestId?: string }[];
  const expiresAt = new Date(terminal.now() + 60_000).toISOString();
  const holder = { terminalId: "other", userName: "Luis", role: "editor" as const, expiresAt };
  tell({ type: "LEASE_CHANGED", posReference: "A", holder });
  expect(terminal.leaseHolder("A")).toMatchObject({ terminalId: "other" });
  const leases = [terminal.acquireLease("A"), terminal.acquireLease("A")];
  const released = terminal.releaseLease("A");
  tell({ type: "LEASE_RELEASED", requestId: all("LEASE_RELEASE")[0]?.requestId, posReference: "A" });
  await released;
  const granted = {
    type: "LEASE_GRANTED",
    posReference: "A",
    leaseId: "own",
    role: "editor",
    expiresAt,
    ttlMs: 60_000,
  };
  for (const { requestId } of all("LEASE_ACQUIRE")) tell({ ...granted, requestId });
  await Promise.all(leases);
  expect(terminal.leaseHolder("A")).toBeNull();
  expect(all("LEASE_RELEASE").length).toBeGreaterThan(1);
});

it("a RESYNC that the hub could not answer is requested again [CLIENT-101]", async () => {
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

it("checks that others removed are reported, even those removed while offline [CLIENT-317]", async () => {
  const { terminal, tell } = await startTerminal();
  const orders = ["A", "B", "C", "D", "E", "F"].map((name) => storedOrder(name, 1));
  tell(syncPage({ seq: 11, orders }));
  const removed: unknown[] = [];
  terminal.on("removedByOther", (event) => removed.push(event));
  tell({ type: "ORDER_REMOVED", seq: 12, posReference: "A", version: 2, origin: "tablet-1" });
  tell({ type: "ORDER_REMOVED", seq: 13, posReference: "B", version: 2, origin: "other" });
  expect(removed).toEqual([{ posReference: "B", origin: "other", mergedInto: [] }]);
  const at = "2026-11-21T20:00:00.000Z";
  const removals = [
    { posReference: "C", version: 2, mergedInto: ["E"], origin: "other", at },
    // An older hub does not say who removed the check.
    { posReference: "D", version: 2, at },
    { posReference: "F", version: 2, origin: "tablet-1", at },
  ];
  tell(syncPage({ mode: "delta", seq: 15, removedOrders: ["C", "D", "F"], removals }));
  tell(syncPage({ seq: 16 }));
  expect(removed.slice(1)).toEqual([
    { posReference: "C", origin: "other", mergedInto: ["E"] },
    { posReference: "D", origin: null, mergedInto: [] },
    { posReference: "E", origin: null, mergedInto: null },
  ]);
});

it("a refusal lists what waits behind it, like the list of conflicts [CLIENT-148]", async () => {
  const { terminal, messages, tell } = await startTerminal();
  const { id: mutationId, outcome } = terminal.openOrder({ posReference: "A", ...content([]) });
  terminal.editOrder("A", (now) => ({ ...now, ...content([line("dish")]) }));
  await expect.poll(() => messages.filter(({ type }) => type === "ORDER_UPSERT")).toHaveLength(1);
  tell({ type: "ORDER_REJECTED", mutationId, errorCode: "PARTY_SEATED", error: "they sit already", retryable: false });
  const behind = [{ type: "ORDER_UPSERT", next: { lines: [{ id: "dish" }] } }];
  expect(await outcome).toMatchObject({ state: "refused", conflict: { behind } });
  expect(terminal.conflicts()).toMatchObject([{ behind }]);
});
