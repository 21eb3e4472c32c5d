import type { ExternalOrderDeps } from "../../orders/create-external-order.ts";
import { type ExternalHandlers, Reply } from "../handlers.ts";

/** The point-of-sale session, the live tables and the floor plan. */
export function externalFloorRoutes(
  deps: Pick<ExternalOrderDeps, "world" | "tables" | "floorPlan" | "currentSession">,
) {
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
