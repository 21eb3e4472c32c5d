import type { ItemOut } from "./item-states.ts";

/** Why a change of kitchen work is rejected. */
export type KitchenRefusal =
  | { code: "NO_ORDER"; values: { posReference: string } }
  | { code: "NO_TICKET"; values: { ticketId: string } }
  | { code: "NO_TICKET_LINE"; values: { ticketId: string; lineId: string } }
  | { code: "NO_LINE"; values: { lineId: string } }
  | { code: "NEVER_SENT"; values: { lineId: string } }
  | { code: "ABOVE_SENT"; values: { lineId: string; preparedQuantity: number; sent: number } }
  | { code: "TOO_MANY_STATIONS"; values: { most: number } }
  | ItemOut;
