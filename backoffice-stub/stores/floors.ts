import { FloorLayoutMode, type BackOfficeFloor, type TableToCreate, type TableToUpdate } from "@comanda/protocol";
import type { Db } from "../db/open.ts";

/** Floors and tables. A table is `occupied` exactly while it has a draft order. */
export function createFloors(db: Db) {
  const selectFloors = db.prepare<[], { id: number; name: string; layout_mode: string }>(
    "SELECT id, name, layout_mode FROM floor ORDER BY id",
  );
  const selectTables = db.prepare<[number], Omit<BackOfficeFloor["tables"][number], "state"> & { in_use: number }>(`
    SELECT id, name, seats, x, y, width, height, shape,
      EXISTS (SELECT 1 FROM pos_order WHERE table_id = restaurant_table.id AND status = 'draft') AS in_use
    FROM restaurant_table
    WHERE floor_id = ? AND active = 1
    ORDER BY id`);
  const updateMode = db.prepare("UPDATE floor SET layout_mode = ? WHERE id = ?");
  const insertTable = db.prepare(`
    INSERT INTO restaurant_table (floor_id, name, seats, x, y, width, height, shape)
    VALUES (@floorId, @name, @seats, @x, @y, @width, @height, @shape)`);
  const updateTable = db.prepare(`
    UPDATE restaurant_table
    SET name = coalesce(@name, name), seats = coalesce(@seats, seats), x = coalesce(@x, x), y = coalesce(@y, y),
      width = coalesce(@width, width), height = coalesce(@height, height), shape = coalesce(@shape, shape)
    WHERE id = @id`);
  const removeTable = db.prepare("UPDATE restaurant_table SET active = 0 WHERE id = ?");
  const selectTable = db.prepare<[number], { id: number }>(
    "SELECT id FROM restaurant_table WHERE id = ? AND active = 1",
  );

  function list(): BackOfficeFloor[] {
    return selectFloors.all().map(({ id, name, layout_mode }) => ({
      id,
      name,
      layoutMode: FloorLayoutMode.parse(layout_mode),
      tables: selectTables.all(id).map(({ in_use, ...table }) => ({
        ...table,
        state: in_use === 1 ? "occupied" : "available",
      })),
    }));
  }

  return {
    list,

    get: (id: number): BackOfficeFloor | null => list().find((floor) => floor.id === id) ?? null,

    hasTable: (id: number): boolean => selectTable.get(id) !== undefined,

    setLayoutMode(floorId: number, mode: FloorLayoutMode): void {
      updateMode.run(mode, floorId);
    },

    addTable(floorId: number, table: TableToCreate): void {
      insertTable.run({ ...table, floorId });
    },

    /** Absent fields stay unchanged. */
    changeTable(change: TableToUpdate): void {
      const unchanged = { name: null, seats: null, x: null, y: null, width: null, height: null, shape: null };
      updateTable.run({ ...unchanged, ...change });
    },

    removeTable(id: number): void {
      removeTable.run(id);
    },
  };
}
