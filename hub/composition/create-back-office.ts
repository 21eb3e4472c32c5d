import type { Station } from "@comanda/protocol";
import { createAndroidUpdates } from "../back-office/android-updates.ts";
import { BackOfficeError } from "../back-office/back-office-error.ts";
import { createBackOfficeClient } from "../back-office/client.ts";
import { createCurrentSession } from "../back-office/current-session.ts";
import { createIdentities } from "../back-office/identities.ts";
import { createOwnSession } from "../back-office/own-session.ts";
import { createPosState } from "../back-office/pos-state.ts";
import { createReachability } from "../back-office/reachability.ts";
import type { Stores } from "../stores/create-stores.ts";
import type { Db } from "../db/open.ts";
import { createFloorPlan } from "../floor-plan/floor-plan.ts";
import { createLoop } from "../platform/loop.ts";
import { createRateLimiter } from "../platform/rate-limiter.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";

export type BackOffice = ReturnType<typeof createBackOffice>;

/** Unknown sessions accepted per address and minute: a whole dining room may sign in from one address at opening. */
const UNKNOWN_SESSIONS_PER_MINUTE = 60;

/** Builds the connection to the back-office and what the hub gets from it: people, POS session, floor plan. */
export function createBackOffice(
  config: HubConfig,
  worldOf: (component: string) => World,
  db: Db,
  stores: Stores,
  stations: () => readonly Station[],
) {
  const world = worldOf("back-office");
  const { changes, time, memory, people, tables } = stores;
  const reachability = createReachability({ world, changes, memory });
  const client = createBackOfficeClient({
    world,
    url: config.backOffice.url,
    db: config.backOffice.db,
    onContact: reachability.note,
    onServerTime: time.learnBackOfficeTime,
  });
  const own = createOwnSession(world, client, config.backOffice.credentials);
  const budget = createRateLimiter(UNKNOWN_SESSIONS_PER_MINUTE, world.clock.monotonic);
  const identities = createIdentities({ world, time, db, changes, client, own, people, budget });
  const pos = createPosState({ world, changes, memory, client, own, stations });
  const floorPlan = createFloorPlan({
    world: worldOf("floor-plan"),
    pos,
    own,
    tables,
    cacheMs: config.floorPlanCacheMs,
  });
  const polling = createLoop(world, "back-office state", config.statePollMs, async () => {
    if (!own.hasCredentials) return;
    await pos.refresh().catch((error: unknown) => {
      if (!(error instanceof BackOfficeError)) throw error;
    });
  });
  return {
    reachability,
    client,
    androidUpdates: createAndroidUpdates({ world, url: config.backOffice.url }),
    own,
    identities,
    pos,
    floorPlan,
    polling,
    /** Whether the back-office is known not to answer. Polling notices when it answers again. */
    isLineDown: () => own.hasCredentials && reachability.isUp() === false,
    currentSession: createCurrentSession({ world, pos, own }),
  };
}
