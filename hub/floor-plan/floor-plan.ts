import type { FloorPlan } from "@comanda/protocol";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import type { OwnSession } from "../back-office/own-session.ts";
import type { PosState } from "../back-office/pos-state.ts";
import { HubError } from "../platform/errors.ts";
import type { TableStore } from "../tables/table-store.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { isoTime, type World } from "../platform/world.ts";

/** How long a request waits for the back-office: without any plan, and with a stale one. */
const FIRST_WAIT_MS = 10_000;
const STALE_WAIT_MS = 3_000;

export type FloorPlanService = ReturnType<typeof createFloorPlan>;

/** Provides the restaurant's floors: the back-office's layout, cached, with the hub's live status and locks merged in. */
export function createFloorPlan(deps: {
  world: World;
  pos: PosState;
  own: OwnSession;
  tables: TableStore;
  cacheMs: number;
}) {
  const { world, pos, own, tables, cacheMs } = deps;

  /** Refreshes a stale plan. Returns false if that failed or took longer than a client should wait. */
  async function refreshIfOld(): Promise<boolean> {
    if (pos.ageMs() < cacheMs && pos.floors() !== null) return true;
    return withTimeout(world, pos.floors() === null ? FIRST_WAIT_MS : STALE_WAIT_MS, pos.refresh());
  }

  return {
    /** Returns the plan, stale if the last refresh failed. Throws NOT_CONFIGURED or UPSTREAM_UNAVAILABLE. */
    async read(): Promise<FloorPlan> {
      if (!own.hasCredentials) {
        throw new HubError("NOT_CONFIGURED", "the hub has no back-office credentials to read the floor plan with");
      }
      const isFresh = await refreshIfOld();
      const stored = pos.floors();
      if (stored === null) {
        throw new HubError("UPSTREAM_UNAVAILABLE", "the back-office cannot be reached and no floor plan was read yet");
      }
      await pos.keepTime();
      const live = new Map(tables.list(world.clock.now()).map((table) => [table.tableId, table]));
      return {
        stale: stored.isStale || !isFresh,
        fetchedAt: isoTime(stored.at),
        floors: stored.value.map((floor) => ({
          id: floor.id,
          name: floor.name,
          tables: floor.tables.map(({ id, name, seats }) => ({
            id,
            name,
            seats,
            floorId: floor.id,
            status: live.get(id)?.status ?? "available",
            lock: live.get(id)?.lock ?? null,
          })),
        })),
      };
    },

    /**
     * Whether the restaurant has this table. Refreshes the plan if the cached one lacks the table, so that new tables are known
     * at once. Accepts any table while the plan cannot be read.
     */
    async isKnown(tableId: number): Promise<boolean> {
      const isListed = (): boolean =>
        pos.floors()?.value.some((floor) => floor.tables.some((table) => table.id === tableId)) ?? false;
      if (isListed()) return true;
      if (!own.hasCredentials) return true;
      try {
        await pos.refresh();
      } catch (error) {
        if (error instanceof BackOfficeError) return true;
        throw error;
      }
      return isListed();
    },
  };
}
