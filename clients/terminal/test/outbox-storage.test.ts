import "fake-indexeddb/auto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openIndexedDbStorage } from "../src/browser/indexed-db-storage.ts";
import { findOtherOutboxes } from "../src/browser/other-outboxes.ts";
import { openSqliteStorage } from "../src/node/sqlite-storage.ts";
import {
  memoryStorage,
  OutboxInUseError,
  type DeviceKey,
  type OutboxStorage,
} from "../src/outbox/queue/outbox-storage.ts";
import { content, entry, line } from "./builders.ts";

const folder = mkdtempSync(join(tmpdir(), "comanda-outbox-"));
afterAll(() => rmSync(folder, { recursive: true }));

let opened = 0;
const freshName = () => `outbox-${(opened += 1)}`;

/** Every storage gives the same guarantees. `outlives` is true if it survives the process. */
const storages: { name: string; open: (name: string) => Promise<OutboxStorage>; outlives: boolean }[] = [
  { name: "memory", open: async () => memoryStorage(), outlives: false },
  { name: "SQLite", open: async (name) => openSqliteStorage(join(folder, `${name}.sqlite`)), outlives: true },
  { name: "IndexedDB", open: openIndexedDbStorage, outlives: true },
];

function mutation(posReference: string) {
  return entry({ type: "ORDER_UPSERT", posReference, base: null, next: content([line("soup")]) });
}

describe.each(storages)("an outbox in $name", ({ open }) => {
  it("an outbox storage returns stored entries by place, and no removed ones", async () => {
    const storage = await open(freshName());
    const [first, second, third] = [mutation("A"), mutation("B"), mutation("C")];
    for (const each of [third, first, second]) await storage.put(each);
    await storage.remove(second.id);
    await storage.put({ ...first, mutationId: third.id });
    expect(await storage.load()).toEqual([{ ...first, mutationId: third.id }, third]);
    await storage.close();
  });

  it("an outbox storage takes a mutation between two others [CLIENT-730]", async () => {
    const storage = await open(freshName());
    const [first, last] = [mutation("A"), mutation("B")];
    const between = { ...mutation("C"), place: last.place - 0.5 };
    for (const each of [first, last, between]) await storage.put(each);
    expect(await storage.load()).toEqual([first, between, last]);
    await storage.close();
  });

  it("an outbox storage keeps the device's keys in order, apart from the mutations [CLIENT-92]", async () => {
    const storage = await open(freshName());
    expect(await storage.loadDeviceKeys()).toEqual([]);
    const [one, two, three] = ["one", "two", "three"].map((hubId) => ({ hubId, key: `key of ${hubId}` }));
    await storage.saveDeviceKeys([one, two, three] as DeviceKey[]);
    await storage.saveDeviceKeys([three, one] as DeviceKey[]);
    expect(await storage.loadDeviceKeys()).toEqual([three, one]);
    expect(await storage.load()).toEqual([]);
    await storage.close();
  });

  it("an outbox storage keeps the cache apart from the mutations, and removes undefined values [CLIENT-121]", async () => {
    const storage = await open(freshName());
    expect(await storage.loadCache()).toEqual([]);
    await storage.saveCache([
      ["order A", { version: 1 }],
      ["menu", { products: [] }],
    ]);
    await storage.saveCache([
      ["order A", undefined],
      ["menu", { products: [7] }],
    ]);
    expect(await storage.loadCache()).toEqual([["menu", { products: [7] }]]);
    expect(await storage.load()).toEqual([]);
    await storage.close();
  });

  it("an outbox storage keeps an entry as it was when it was stored", async () => {
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
  it("an outbox storage is found again after the process has died [CLIENT-44] [CLIENT-92]", async () => {
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

  it("an outbox storage has one owner at a time [CLIENT-43]", async () => {
    const name = freshName();
    const storage = await open(name);
    await storage.load();
    await expect(open(name)).rejects.toThrow(OutboxInUseError);
    await storage.close();
    await (await open(name)).close();
  });
});

describe("an outbox in IndexedDB", () => {
  it("IndexedDB writes concurrent changes in one transaction, in order, and answers when all are stored [CLIENT-139]", async () => {
    const storage = await openIndexedDbStorage(freshName());
    const { transaction } = IDBDatabase.prototype;
    let count = 0;
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof transaction>) {
      count += 1;
      return transaction.apply(this, args);
    };
    try {
      const [first, second] = [mutation("A"), mutation("B")];
      const writes = [storage.put(first), storage.put(second), storage.remove(first.id)];
      expect(count).toBe(0);
      await writes[0];
      expect(count).toBe(1);
      expect(await storage.load()).toEqual([second]);
      await Promise.all(writes);
      await storage.put(first);
      expect(await storage.load()).toEqual([second, first].toSorted((one, other) => one.place - other.place));
      expect(count).toBe(4);
    } finally {
      IDBDatabase.prototype.transaction = transaction;
      await storage.close();
    }
  });
});

describe("an outbox in IndexedDB whose connection dies", () => {
  /** Records the opened connections, and can close all of them as a browser would. */
  function watchConnections(): { loseAll(): void; opened(): number; restore(): void } {
    const connections: IDBDatabase[] = [];
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (this: IDBFactory, ...args: Parameters<typeof open>) {
      const request = open.apply(this, args);
      request.addEventListener("success", () => connections.push(request.result));
      return request;
    };
    return {
      loseAll: () => connections.forEach((each) => each.close()),
      opened: () => connections.length,
      restore: () => (IDBFactory.prototype.open = open),
    };
  }

  it("IndexedDB is opened again after a lost connection, and repeats the access once for all failures [CLIENT-129]", async () => {
    const watched = watchConnections();
    try {
      const storage = await openIndexedDbStorage(freshName());
      const [first, second, third] = [mutation("A"), mutation("B"), mutation("C")];
      await storage.put(first);
      watched.loseAll();
      await Promise.all([storage.put(second), storage.put(third), storage.saveDeviceKeys([{ hubId: "h", key: "k" }])]);
      expect(watched.opened()).toBe(5);
      watched.loseAll();
      expect(await storage.load()).toEqual([first, second, third]);
      watched.loseAll();
      await storage.remove(first.id);
      await storage.saveCache([["menu", 1]]);
      watched.loseAll();
      expect([await storage.loadCache(), await storage.loadDeviceKeys()]).toEqual([
        [["menu", 1]],
        [{ hubId: "h", key: "k" }],
      ]);
      await storage.close();
    } finally {
      watched.restore();
    }
  });

  it("IndexedDB is opened again after an UnknownError, and gives up after the second [CLIENT-129]", async () => {
    const storage = await openIndexedDbStorage(freshName());
    const { transaction } = IDBDatabase.prototype;
    let failures = 0;
    let most = 1;
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args: Parameters<typeof transaction>) {
      if ((failures += 1) <= most) throw new DOMException("the connection was lost", "UnknownError");
      return transaction.apply(this, args);
    };
    try {
      const put = mutation("A");
      await storage.put(put);
      expect(failures).toBe(2);
      most = Number.POSITIVE_INFINITY;
      await expect(storage.put(mutation("B"))).rejects.toThrow("the connection was lost");
      IDBDatabase.prototype.transaction = transaction;
      expect(await storage.load()).toEqual([put]);
    } finally {
      IDBDatabase.prototype.transaction = transaction;
      await storage.close();
    }
  });

  it("IndexedDB stays closed after it was closed [CLIENT-129]", async () => {
    const storage = await openIndexedDbStorage(freshName());
    await storage.close();
    await expect(storage.put(mutation("A"))).rejects.toThrow();
  });
});

it("other outboxes of this browser with unsent mutations are found [CLIENT-153]", async () => {
  const [own, waiting, answered] = [freshName(), freshName(), freshName()];
  for (const name of [own, waiting, answered]) {
    const storage = await openIndexedDbStorage(name);
    await storage.put({ ...mutation("A"), ...(name === answered && { isAnswered: true }) });
    await storage.put({ ...mutation("B"), isDone: true });
    await storage.close();
  }
  const found = await findOtherOutboxes(own);
  expect(found.filter(({ name }) => [own, waiting, answered].includes(name))).toEqual([{ name: waiting, pending: 1 }]);
});
