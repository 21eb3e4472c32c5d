import { type OrderType, restaurantClock, type Snapshot } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { raiseCounter } from "../../db/restore/carry-over.ts";
import type { Db } from "../../db/open.ts";

export type Numbering = ReturnType<typeof createNumbering>;

/** More than a day has, however busy: a made-up number must not push the others out of sight. */
const GIVEN = /^[TD]-(\d{3,4})$/;

/** Ticket numbers, counted per order type and calendar day of the restaurant; a day's counter never starts again. */
export function createNumbering(db: Db, timeZone: string) {
  const clock = restaurantClock(timeZone);
  const next = db.prepare<[string, string], { last: number }>(`
    INSERT INTO ticket_counters (order_type, day, last) VALUES (?, ?, 1)
    ON CONFLICT (order_type, day) DO UPDATE SET last = last + 1
    RETURNING last`);

  return {
    /** `T-001` for takeout, `D-001` for delivery, undefined for an order at a table. */
    ticketNumber(tx: Tx, orderType: OrderType): string | undefined {
      if (orderType === "dine_in") return undefined;
      const number = next.get(orderType, clock.date(tx.now))?.last ?? 1;
      return `${prefixOf(orderType)}-${String(number).padStart(3, "0")}`;
    },

    /** The number of an order that another hub has given is not given again that day. */
    skip({ ticketNumber, orderType, createdAt }: Snapshot): void {
      const [, digits] = GIVEN.exec(ticketNumber ?? "") ?? [];
      const at = Date.parse(createdAt);
      if (digits === undefined || orderType === "dine_in" || Number.isNaN(at)) return;
      raiseCounter(db, { orderType, day: clock.date(at), last: Number(digits) });
    },
  };
}

function prefixOf(orderType: Exclude<OrderType, "dine_in">): string {
  return orderType === "takeout" ? "T" : "D";
}
