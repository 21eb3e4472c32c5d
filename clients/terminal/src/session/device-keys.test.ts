import { expect, it } from "vitest";
import { memoryStorage } from "../outbox/queue/outbox-storage.ts";
import { createDeviceKeys } from "./device-keys.ts";

const received: unknown[] = [];
const onTrouble = (error: unknown): void => void received.push(error);

it("a key is stored for each hub, and the last hub is known [CLIENT-92]", async () => {
  const storage = memoryStorage();
  const keys = createDeviceKeys({ loaded: [], storage, onTrouble });
  expect(keys.get()).toBeUndefined();
  keys.accepted("one", "k-1");
  keys.accepted("two", "k-2");
  expect([keys.get(), keys.get("one"), keys.get("three")]).toEqual(["k-2", "k-1", undefined]);
  keys.accepted("one", undefined);
  keys.accepted("two", "k-3");
  keys.accepted("one", undefined);
  const stored = [
    { hubId: "two", key: "k-3" },
    { hubId: "one", key: "k-1" },
  ];
  await expect.poll(() => storage.loadDeviceKeys()).toEqual(stored);
  expect(createDeviceKeys({ loaded: stored, storage, onTrouble }).get()).toBe("k-1");
});

it("beyond sixteen hubs, the one used longest ago is forgotten [CLIENT-92]", async () => {
  const keys = createDeviceKeys({ loaded: [], storage: memoryStorage(), onTrouble });
  for (let hub = 1; hub <= 17; hub += 1) keys.accepted(`hub-${hub}`, `k-${hub}`);
  expect([keys.get("hub-1"), keys.get("hub-2"), keys.get()]).toEqual([undefined, "k-2", "k-17"]);
});

it("a key that could not be stored still works, and the failure is reported [CLIENT-92]", async () => {
  const full = new Error("no space left");
  const storage = { ...memoryStorage(), saveDeviceKeys: () => Promise.reject(full) };
  const keys = createDeviceKeys({ loaded: [{ hubId: "one", key: "old" }], storage, onTrouble });
  keys.accepted("one", "new");
  expect(keys.get("one")).toBe("new");
  await expect.poll(() => received).toEqual([full]);
});
