import type { DeviceKey, OutboxStorage } from "../outbox/queue/outbox-storage.ts";

/** Number of hubs whose keys are kept; the least recent are dropped. */
const MAX_HUBS = 16;

export type DeviceKeys = ReturnType<typeof createDeviceKeys>;

/** The keys by which hubs recognize this device. `loaded` are the stored ones, with the most recent hub last. */
export function createDeviceKeys(options: {
  loaded: readonly DeviceKey[];
  storage: OutboxStorage;
  /** Called if a key could not be stored. It stays valid until this process ends. */
  onTrouble(error: unknown): void;
}) {
  const { storage, onTrouble } = options;
  let keys = options.loaded;
  let saving = Promise.resolve();

  return {
    /** Returns the key for a hub, by default the most recent one. */
    get: (hubId?: string) => (hubId === undefined ? keys.at(-1) : keys.find((each) => each.hubId === hubId))?.key,
    /** Stores the key for a hub that accepted this device, and may have sent a new one. */
    accepted(hubId: string, newKey: string | undefined): void {
      const former = keys.find((each) => each.hubId === hubId)?.key;
      const key = newKey ?? former;
      if (key === undefined || (key === former && keys.at(-1)?.hubId === hubId)) return;
      keys = [...keys.filter((each) => each.hubId !== hubId), { hubId, key }].slice(-MAX_HUBS);
      const saved = keys;
      saving = saving.then(() => storage.saveDeviceKeys(saved)).catch(onTrouble);
    },
  };
}
