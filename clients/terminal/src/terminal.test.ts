import { expect, it } from "vitest";
import { content, entry, storedOrder } from "../test/builders.ts";
import { memoryStorage, type OutboxStorage } from "./outbox/queue/outbox-storage.ts";
import { protocolSchemas } from "./schemas.ts";
import { openTerminalWith } from "./open-with.ts";
import { trustingSchemas } from "./trusting-schemas.ts";

/** A terminal that never connects. */
function openAlone(storage: OutboxStorage, schemas = protocolSchemas, clientVersion = "1.0.0") {
  const options = { url: "ws://127.0.0.1:9", deviceId: "tablet-1", token: "t", clientVersion };
  return openTerminalWith(schemas, {
    ...options,
    storage,
    openSocket: () => {
      throw new Error("nobody connects");
    },
  });
}

/** Returns what a terminal shows at its start with a cache saved by version 1.0.0 and one change in the outbox. */
async function shownBy(schemas: typeof protocolSchemas, clientVersion: string) {
  const storage = memoryStorage();
  await storage.put(entry({ type: "ORDER_UPSERT", posReference: "B", base: null, next: content([]) }));
  await storage.saveCache([
    ["version", "1.0.0"],
    ["place", { since: { hubId: "hub-1", epoch: "e", seq: 3 }, asOf: "2026-11-21T20:00:00.000Z" }],
    ["order A", storedOrder("A", 3)],
    ["actor", { token: "t", user: { id: 1, name: "Ana" } }],
  ]);
  const terminal = await openAlone(storage, schemas, clientVersion);
  const shown = terminal.orders().map(({ posReference }) => posReference);
  await terminal.stop();
  return { shown, cached: new Map(await storage.loadCache()) };
}

it("a page shows the hub's state cached by its own version, and drops that of another version [CLIENT-206]", async () => {
  expect((await shownBy(trustingSchemas, "1.0.0")).shown).toEqual(["A", "B"]);
  const { shown, cached } = await shownBy(trustingSchemas, "1.0.1");
  expect(shown).toEqual(["B"]);
  expect([...cached.keys()].toSorted()).toEqual(["actor", "version"]);
  expect(cached.get("version")).toBe("1.0.1");
});

it("state cached by another version is read with the protocol's schemas [CLIENT-206]", async () => {
  expect((await shownBy(protocolSchemas, "1.0.1")).shown).toEqual(["A", "B"]);
});

it("a discarded conflict is reported, even one that concerns no check [CLIENT-40]", async () => {
  const storage = memoryStorage();
  const count = entry({ type: "TILL_COUNT", shiftId: "s", counted: [] });
  const refusal = { errorCode: "APPROVAL_NEEDED" as const, error: "", collisions: [], at: count.queuedAt };
  await storage.put({ ...count, refusal });
  const terminal = await openAlone(storage);
  const counts: number[] = [];
  terminal.on("outbox", () => counts.push(terminal.conflicts().length));
  await terminal.discard(count.id);
  expect(counts).toEqual([0]);
  await terminal.stop();
});

it("acknowledging a hub's notice is reported, even if nothing else has to be done [CLIENT-40]", async () => {
  const storage = memoryStorage();
  const opened = entry({ type: "ORDER_UPSERT", posReference: "B", base: null, next: content([]) });
  const existing = { posReference: "A", checkNumber: 1, staffName: "Ana" };
  const notice = { errorCode: "TABLE_OCCUPIED" as const, error: "", collisions: [], at: opened.queuedAt, existing };
  await storage.put({ ...opened, notice, isDone: true });
  const terminal = await openAlone(storage);
  const count = new Promise((resolve) => terminal.on("outbox", () => resolve(terminal.conflicts().length)));
  expect(terminal.conflicts()).toMatchObject([{ id: opened.id, isNotice: true }]);
  expect(terminal.keepBoth(opened.id)).toBeNull();
  expect(await count).toBe(0);
  await terminal.stop();
});
