import { z } from "zod";
import { TableId } from "../basics/fields.ts";
import { TableLock, TableState, TableStatus } from "../floor/tables.ts";
import { place, requestId } from "./envelope.ts";
import { hubLimits } from "./limits.ts";

export const TableLockRequest = z.object({
  type: z.literal("TABLE_LOCK"),
  requestId,
  tableId: TableId,
  ttlMs: z.int().positive().max(hubLimits.tableLockMaxMs).optional(),
});

export const TableUnlock = tableMessage("TABLE_UNLOCK");
export const TableReserve = tableMessage("TABLE_RESERVE");
export const TableUnreserve = tableMessage("TABLE_UNRESERVE");
export const TableLocked = z.object({ type: z.literal("TABLE_LOCKED"), requestId, tableId: TableId, lock: TableLock });

export const TableLockDenied = z.object({
  type: z.literal("TABLE_LOCK_DENIED"),
  requestId,
  tableId: TableId,
  lock: TableLock,
});

export const TableUnlocked = tableMessage("TABLE_UNLOCKED");
export const TableAck = z.object({ type: z.literal("TABLE_ACK"), requestId, tableId: TableId, status: TableStatus });
export const TableChanged = z.object({ type: z.literal("TABLE_CHANGED"), ...place, table: TableState });

function tableMessage<Type extends string>(type: Type) {
  return z.object({ type: z.literal(type), requestId, tableId: TableId });
}
