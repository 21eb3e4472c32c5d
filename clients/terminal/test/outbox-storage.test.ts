import "fake-indexeddb/auto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openIndexedDbStorage } from "../src/browser/indexed-db-storage.ts";
import { openSqliteStorage } from "../src/node/sqlite-storage.ts";
import { memoryStorage, OutboxInUseError, type DeviceKey, type OutboxStorage } from "../src/outbox/outbox-storage.ts";
import { content, entry, line } from "./builders.ts";

const folder = mkdtempSync(join(tmpdir(), "comanda-outbox-"));
afterAll(() => rmSync(folder, { recursive: true }));

let opened = 0;
const freshName = () => `outbox-${(opened += 1)}`;

/** Every storage keeps the same promises; `outlives` is true for those that outlive the process. */
const storages: { name: string; open: (name: string) => Promise<OutboxStorage>; outlives: boolean }[] = [
  { name: "memory", open: async () => memoryStorage(), outlives: false },
  { name: "SQLite", open: async (name) => openSqliteStorage(join(folder, `${name}.sqlite`)), outlives: true },
  { name: "IndexedDB", open: openIndexedDbStorage, outlives: true },
];

function mutation(posReference: string) {
  return entry({ type: "ORDER_UPSERT", posReference, base: null, next: content([line("soup")]) });
}

describe.each(storages)("an outbox in $name", ({ open }) => {
  it("gives back what was put, by place, and nothing that was removed", async () => {
    const storage = await open(freshName());
    const [first, second, third] = [mutation("A"), mutation("B"), mutation("C")];
    for (const each of [third, first, second]) await storage.put(each);
    await storage.remove(second.id);
    await storage.put({ ...first, mutationId: third.id });
    expect(await storage.load()).toEqual([{ ...first, mutationId: third.id }, third]);
    await storage.close();
  });

  it("[CLIENT-92] keeps the device's keys in their order, apart from the mutations", async () => {
    const storage = await open(freshName());
    expect(await storage.loadDeviceKeys()).toEqual([]);
    const [one, two, three] = ["one", "two", "three"].map((hubId) => ({ hubId, key: `key of ${hubId}` }));
    await storage.saveDeviceKeys([one, two, three] as DeviceKey[]);
    await storage.saveDeviceKeys([three, one] as DeviceKey[]);
    expect(await storage.loadDeviceKeys()).toEqual([three, one]);
    expect(await storage.load()).toEqual([]);
    await storage.close();
  });

  it("keeps what an entry was when it was put", async () => {
    const storage = await open(freshName());
    const put = mutation("A");
    const writing = storage.put(put);
    const before = structuredClone(put);
    put.mutationId = "changed later";
    await writing;
    expect(await storage.load()).toEqual([before]);
    await storage.close();
  });
});

describe.each(storages.filter((storage) => storage.outlives))("an outbox in $name", ({ open }) => {
  it("[CLIENT-44] [CLIENT-92] finds it again after the process has died", async () => {
    const name = freshName();
    const storage = await open(name);
    const put = mutation("A");
    await storage.put(put);
    await storage.saveDeviceKeys([{ hubId: "hub-1", key: "k-1" }]);
    await storage.close();
    const again = await open(name);
    expect(await again.load()).toEqual([put]);
    expect(await again.loadDeviceKeys()).toEqual([{ hubId: "hub-1", key: "k-1" }]);
    await again.close();
  });

  it("[CLIENT-43] has one owner at a time", async () => {
    const name = freshName();
    const storage = await open(name);
    await storage.load();
    await expect(open(name)).rejects.toThrow(OutboxInUseError);
    await storage.close();
    await (await open(name)).close();
  });
});
