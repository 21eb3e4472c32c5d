import { FloorPlanSaveRequest } from "@comanda/protocol";
import { saveFloorPlan } from "../floor-plan/save-floor-plan.ts";
import type { Routes } from "../http/routes.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { parse } from "../parse.ts";
import { requireRole } from "../sign-in/rights.ts";

export function floorPlanRoutes(routes: Routes, deps: OrderDeps): void {
  routes.post("/floor-plan/save", ({ body, caller }) => {
    requireRole(caller, "manager");
    return { floor: saveFloorPlan(deps, parse(FloorPlanSaveRequest, body)) };
  });
}
