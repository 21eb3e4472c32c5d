import type { ChangeLog } from "../changes/change-log.ts";
import { createLoop } from "../platform/loop.ts";
import type { World } from "../platform/world.ts";
import type { KeyStore } from "./key-store.ts";

const EVERY_MS = 5_000;

/** Saves when keys were last used, several at once and never while a request waits. */
export function createKeyUses(world: World, changes: ChangeLog, keys: KeyStore) {
  const flush = async (): Promise<void> => {
    if (keys.hasUnsavedUses()) await changes.write(() => keys.flushUses());
  };
  const loop = createLoop(world, "key uses", EVERY_MS, flush);
  return {
    start: loop.start,
    async stop(): Promise<void> {
      await loop.stop();
      await flush();
    },
  };
}
