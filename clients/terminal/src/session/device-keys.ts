import type { DeviceKey, OutboxStorage } from "../outbox/queue/outbox-storage.ts";

/** A device that has been on more hubs drops the least recent. */
const MOST_HUBS = 16;

export type DeviceKeys = ReturnType<typeof createDeviceKeys>;

/** The keys by which hubs recognize this device. `loaded` are the stored ones; that of the most recent hub is last. */
export function createDeviceKeys(options: {
  loaded: readonly DeviceKey[];
  storage: OutboxStorage;
  /** A key could not be stored: it counts until this process ends. */
  onTrouble(error: unknown): void;
}) {
  const { storage, onTrouble } = options;
  let keys = options.loaded;
  let saving = Promise.resolve();

  return {
    /** The key for a hub; without one named, for the hub that this device was on last. */
    of: (hubId?: string) => (hubId === undefined ? keys.at(-1) : keys.find((each) => each.hubId === hubId))?.key,
    /** A hub accepted this device, and may have sent a new key. */
    accepted(hubId: string, newKey: string | undefined): void {
      const former = keys.find((each) => each.hubId === hubId)?.key;
      const key = newKey ?? former;
      if (key === undefined || (key === former && keys.at(-1)?.hubId === hubId)) return;
      keys = [...keys.filter((each) => each.hubId !== hubId), { hubId, key }].slice(-MOST_HUBS);
      const saved = keys;
      saving = saving.then(() => storage.saveDeviceKeys(saved)).catch(onTrouble);
    },
  };
}
