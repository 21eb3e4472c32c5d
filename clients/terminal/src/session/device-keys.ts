import type { DeviceKey, OutboxStorage } from "../outbox/outbox-storage.ts";

/** A device that has been on more hubs forgets the one it was on longest ago. */
const MOST_HUBS = 16;

/** The keys by which hubs know this device again. */
export interface DeviceKeys {
  /** The key for a hub; without one named, for the hub that this device was on last. */
  of(hubId?: string): string | undefined;
  /** A hub let this device in, and may have given it a new key. */
  accepted(hubId: string, newKey: string | undefined): void;
}

/** `loaded` are the stored keys, that of the hub which the device was on last at the end. */
export function createDeviceKeys(options: {
  loaded: readonly DeviceKey[];
  storage: OutboxStorage;
  /** A key could not be stored: it counts as long as this process lives. */
  onTrouble(error: unknown): void;
}): DeviceKeys {
  const { storage, onTrouble } = options;
  let keys = options.loaded;
  let saving = Promise.resolve();

  return {
    of: (hubId) => (hubId === undefined ? keys.at(-1) : keys.find((each) => each.hubId === hubId))?.key,
    accepted(hubId, newKey) {
      const former = keys.find((each) => each.hubId === hubId)?.key;
      const key = newKey ?? former;
      if (key === undefined || (key === former && keys.at(-1)?.hubId === hubId)) return;
      keys = [...keys.filter((each) => each.hubId !== hubId), { hubId, key }].slice(-MOST_HUBS);
      const saved = keys;
      saving = saving.then(() => storage.saveDeviceKeys(saved)).catch(onTrouble);
    },
  };
}
