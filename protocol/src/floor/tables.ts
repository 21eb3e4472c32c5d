import { z } from "zod";
import { TableId } from "../basics/fields.ts";

export const TableStatus = z.enum(["available", "occupied", "reserved"]);
export type TableStatus = z.infer<typeof TableStatus>;

/** Advisory: who is working on a table. Expires at `expiresAt` (ISO 8601). */
export const TableLock = z.looseObject({ userName: z.string(), terminalId: z.string(), expiresAt: z.string() });
export type TableLock = z.infer<typeof TableLock>;

/** The live state of a table; `posReference` is the last order that touched it. Times are ISO 8601 UTC. */
export const TableState = z.looseObject({
  tableId: TableId,
  status: TableStatus,
  posReference: z.string().nullable(),
  updatedAt: z.string(),
  lock: TableLock.nullable(),
});
export type TableState = z.infer<typeof TableState>;
