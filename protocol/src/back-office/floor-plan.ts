import { z } from "zod";

export const FloorLayoutMode = z.enum(["free", "grid", "perimeter_center"]);
export type FloorLayoutMode = z.infer<typeof FloorLayoutMode>;

/** A table of the back-office. `id` is the record id (the `tableId` of orders), not the printed number. */
export const BackOfficeTable = z.object({
  id: z.int(),
  name: z.string(),
  seats: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  shape: z.string(),
  state: z.string(),
});

export const BackOfficeFloor = z.object({
  id: z.int(),
  name: z.string(),
  layoutMode: FloorLayoutMode,
  tables: z.array(BackOfficeTable),
});
export type BackOfficeFloor = z.infer<typeof BackOfficeFloor>;

const tableFields = {
  name: z.string().min(1).max(64),
  seats: z.int().positive().max(1000),
  x: z.number(),
  y: z.number(),
  width: z.number().positive(),
  height: z.number().positive(),
  shape: z.string().min(1).max(32),
};

export const TableToCreate = z.object({
  ...tableFields,
  x: tableFields.x.default(0),
  y: tableFields.y.default(0),
  width: tableFields.width.default(100),
  height: tableFields.height.default(100),
  shape: tableFields.shape.default("square"),
});
export type TableToCreate = z.infer<typeof TableToCreate>;

export const TableToUpdate = z.object({ id: z.int(), ...z.object(tableFields).partial().shape });
export type TableToUpdate = z.infer<typeof TableToUpdate>;

export const FloorPlanSaveRequest = z.object({
  floorId: z.int(),
  layout_mode: FloorLayoutMode.optional(),
  create: z.array(TableToCreate).default([]),
  update: z.array(TableToUpdate).default([]),
  delete: z.array(z.int()).default([]),
});
export type FloorPlanSaveRequest = z.infer<typeof FloorPlanSaveRequest>;

export const FloorPlanSaveAnswer = z.object({ floor: BackOfficeFloor });
