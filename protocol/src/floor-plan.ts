import type { TableLock, TableStatus } from "./tables.ts";

/** GET /external/v1/floor-plan. `fetchedAt` is the time of the last real read from the back-office. */
export interface FloorPlan {
  stale: boolean;
  fetchedAt: string;
  floors: Floor[];
}

export interface Floor {
  id: number;
  name: string;
  tables: FloorTable[];
}

export interface FloorTable {
  id: number;
  name: string;
  seats: number;
  floorId: number;
  status: TableStatus;
  lock: TableLock | null;
}
