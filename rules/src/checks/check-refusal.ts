import type { OrderStatus } from "@comanda/protocol";
import type { DetectedDiscount } from "../money/pricing/discounts.ts";

/** Why a change of a check's content is rejected. */
export type CheckRefusal =
  | { code: "NO_ORDER"; values: { posReference: string } }
  | { code: "WAS_REMOVED"; values: { posReference: string } }
  /** Paid, closed or checked out. */
  | { code: "LOCKED"; values: { posReference: string; status: OrderStatus } }
  | { code: "NOT_CHECKED_OUT"; values: { status: OrderStatus } }
  /** Another user has the check open. */
  | { code: "LEASED"; values: { posReference: string; userName: string; terminalId: string } }
  /** The writer's base version is out of date. */
  | { code: "MOVED_ON"; values: { posReference: string; version: number; baseVersion: number } }
  | { code: "NO_NEW_CHECKS"; values: { why: "hub_mode_off" | "session_closed" } }
  | { code: "RESERVED_REFERENCE"; values: { prefix: string } }
  | { code: "TABLE_TAKEN"; values: { tableId: number; posReference: string; checkNumber: number | null } }
  /** The guests of this booking or waiting record already have a check. */
  | { code: "PARTY_SEATED"; values: { posReference: string; checkNumber: number | null } }
  | { code: "MAIN_TABLE_FIRST"; values: { main: number; tableId: number | null } }
  | { code: "AMOUNT_TOO_LARGE"; values: { field: string; amount: number } }
  /** The total is not the sum of its parts. */
  | { code: "WRONG_TOTAL"; values: { total: number; added: number } }
  | { code: "DISCOUNT"; values: Pick<DetectedDiscount, "lineId" | "reason"> }
  | { code: "DISCARD_NEEDS_CASHIER"; values: { why: "payments" | "kitchen" } };
