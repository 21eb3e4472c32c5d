import type { PluginRecord, PostPluginEvent } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { World } from "../world.ts";
import type { PluginStore } from "./plugin-store.ts";

export type PluginRoom = ReturnType<typeof createPluginRoom>;

/** The sweep comes at the next expiry, and at least this often, whatever the clock does. */
const SWEEP_MS = 10_000;
/** After a sweep that failed. */
const FAILED_WAIT_MS = 1_000;
const SLICE = 500;

/** Takes, shows and removes plugin records, and tells terminals when one has expired. */
export function createPluginRoom(deps: { world: World; changes: ChangeLog; plugins: PluginStore }) {
  const { world, changes, plugins } = deps;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStarted = false;

  function schedule(leastMs = 1): void {
    world.timers.clearTimeout(timer);
    if (!isStarted) return;
    const nextAt = plugins.nextExpiryAt();
    const waitMs = nextAt === null ? SWEEP_MS : nextAt - world.clock.now();
    timer = world.timers.setTimeout(
      () => {
        running = sweep();
      },
      Math.max(leastMs, Math.min(SWEEP_MS, waitMs)),
    );
  }

  async function sweep(): Promise<void> {
    try {
      while ((await removeExpired()) === SLICE) {
        // the next slice is a transaction of its own
      }
    } catch (error) {
      world.log.error({ err: error }, "expired plugin records could not be removed");
      schedule(FAILED_WAIT_MS);
      return;
    }
    schedule();
  }

  async function removeExpired(): Promise<number> {
    if (plugins.expired(world.clock.now(), 1).length === 0) return 0;
    return changes.write((tx) => {
      const expired = plugins.expired(tx.now, SLICE);
      for (const { pluginId, key } of expired) tx.emit(plugins.remove(tx, pluginId, key));
      return expired.length;
    });
  }

  return {
    start(): void {
      isStarted = true;
      running = sweep();
    },
    async stop(): Promise<void> {
      isStarted = false;
      world.timers.clearTimeout(timer);
      await running;
    },

    /** Unexpired records, by key. */
    async list(pluginId: string): Promise<PluginRecord[]> {
      await changes.settled();
      return plugins.list(pluginId, world.clock.now());
    },
    async get(pluginId: string, key: string): Promise<PluginRecord | null> {
      await changes.settled();
      return plugins.get(pluginId, key, world.clock.now());
    },
    /** Stores a record over the one with its key, with a higher version. */
    async post(pluginId: string, { key, payload, ttlSeconds }: PostPluginEvent): Promise<PluginRecord> {
      const stored = await changes.write((tx) => {
        const expiresAt = ttlSeconds === undefined ? null : tx.now + ttlSeconds * 1000;
        const change = plugins.save(tx, { pluginId, key, payload, expiresAt });
        tx.emit(change);
        return change.record;
      });
      if (ttlSeconds !== undefined) schedule();
      return stored;
    },
    /** False when there is no live record of that key. */
    async remove(pluginId: string, key: string): Promise<boolean> {
      return changes.write((tx) => {
        if (plugins.get(pluginId, key, tx.now) === null) return false;
        tx.emit(plugins.remove(tx, pluginId, key));
        return true;
      });
    },
  };
}
