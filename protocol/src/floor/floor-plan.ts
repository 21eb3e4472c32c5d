import { z } from "zod";
import { TableId } from "../basics/fields.ts";
import { TableLock, TableStatus } from "./tables.ts";

export const FloorTable = z.object({
  id: TableId,
  name: z.string(),
  seats: z.number(),
  floorId: z.int(),
  status: TableStatus,
  lock: TableLock.nullable(),
});

export const Floor = z.object({ id: z.int(), name: z.string(), tables: z.array(FloorTable) });

/** GET /external/v1/floor-plan. `fetchedAt` is the time of the last real read from the back-office. */
export const FloorPlan = z.object({ stale: z.boolean(), fetchedAt: z.string(), floors: z.array(Floor) });
export type FloorPlan = z.infer<typeof FloorPlan>;
