import type { PosSession } from "@comanda/protocol";
import type { ChangeLog } from "../../changes/change-log.ts";
import type { FloorPlanService } from "../../floor-plan/floor-plan.ts";
import type { TableStore } from "../../tables/table-store.ts";
import type { World } from "../../platform/world.ts";
import { endpoint, ok, type Endpoint } from "../external/endpoint.ts";

/** The point of sale's session, the live tables and the floor plan. */
export function floorEndpoints(deps: {
  world: World;
  changes: ChangeLog;
  tables: TableStore;
  floorPlan: FloorPlanService;
  currentSession(): Promise<PosSession | null>;
}): Endpoint[] {
  const { world, changes, tables, floorPlan, currentSession } = deps;
  return [
    endpoint({
      method: "GET",
      path: "/session",
      scope: "read",
      async handle() {
        const session = await currentSession();
        if (session?.active !== true) return ok({ active: false });
        return ok({ active: true, sessionId: session.id, sessionName: session.name });
      },
    }),
    endpoint({
      method: "GET",
      path: "/tables",
      scope: "read",
      async handle() {
        await changes.settled();
        return ok({ tables: tables.list(world.clock.now()) });
      },
    }),
    endpoint({
      method: "GET",
      path: "/floor-plan",
      scope: "read",
      async handle() {
        await changes.settled();
        return ok(await floorPlan.read());
      },
    }),
  ];
}
