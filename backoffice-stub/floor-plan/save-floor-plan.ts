import type { BackOfficeFloor, FloorPlanSaveRequest } from "@comanda/protocol";
import { transact } from "../db/open.ts";
import type { OrderDeps } from "../orders/place-order.ts";
import { Refusal } from "../refusal.ts";
import type { Stores } from "../stores/stores.ts";

/** Saves all changes or none. Throws NOT_FOUND for a missing floor or table, TABLE_IN_USE for a table with an open order. */
export function saveFloorPlan({ db, stores }: OrderDeps, save: FloorPlanSaveRequest): BackOfficeFloor {
  const { floors } = stores;
  return transact(db, () => {
    const before = mustFindFloor(stores, save.floorId);
    for (const id of [...save.update.map((table) => table.id), ...save.delete]) {
      if (!before.tables.some((table) => table.id === id)) {
        throw new Refusal("NOT_FOUND", `there is no table ${id} on the floor ${before.name}`);
      }
    }
    const inUse = before.tables.find((table) => table.state === "occupied" && save.delete.includes(table.id));
    if (inUse !== undefined) throw new Refusal("TABLE_IN_USE", `the table ${inUse.name} has an open order`);

    if (save.layout_mode !== undefined) floors.setLayoutMode(save.floorId, save.layout_mode);
    for (const table of save.update) floors.changeTable(table);
    for (const id of save.delete) floors.removeTable(id);
    for (const table of save.create) floors.addTable(save.floorId, table);
    return mustFindFloor(stores, save.floorId);
  });
}

function mustFindFloor(stores: Stores, floorId: number): BackOfficeFloor {
  const floor = stores.floors.get(floorId);
  if (floor === null) throw new Refusal("NOT_FOUND", `there is no floor ${floorId}`);
  return floor;
}
