import type { PosSession } from "@comanda/protocol";
import type { FloorPlanService } from "../../../floor-plan/floor-plan.ts";
import type { World } from "../../../platform/world.ts";
import type { TableStore } from "../../../tables/table-store.ts";
import { type ExternalHandlers, Reply } from "../../handlers.ts";

/** Routes for the point-of-sale session, the live tables and the floor plan. */
export function externalFloorRoutes(deps: {
  world: World;
  tables: TableStore;
  floorPlan: FloorPlanService;
  currentSession(): Promise<PosSession | null>;
}) {
  return {
    async readSession() {
      const session = await deps.currentSession();
      if (session?.active !== true) return { active: false };
      return new Reply({ active: true, sessionId: session.id, sessionName: session.name });
    },
    listTables: () => ({ tables: deps.tables.list(deps.world.clock.now()) }),
    readFloorPlan: () => deps.floorPlan.read(),
  } satisfies Partial<ExternalHandlers>;
}
