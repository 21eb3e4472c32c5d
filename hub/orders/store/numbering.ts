import { type OrderType, restaurantClock, type Snapshot } from "@comanda/protocol";
import type { Tx } from "../../changes/change.ts";
import { raiseCounter } from "../../db/restore/carry-over.ts";
import type { Db } from "../../db/open.ts";

export type Numbering = ReturnType<typeof createNumbering>;

/** Numbers of at most four digits, enough for any day. A larger, made-up number must not raise the counter. */
const ISSUED = /^[TD]-(\d{3,4})$/;

/** Issues ticket numbers, counted per order type and calendar day of the restaurant. The counter of a day never restarts. */
export function createNumbering(db: Db, timeZone: string) {
  const clock = restaurantClock(timeZone);
  const next = db.prepare<[string, string], { last: number }>(`
    INSERT INTO ticket_counters (order_type, day, last) VALUES (?, ?, 1)
    ON CONFLICT (order_type, day) DO UPDATE SET last = last + 1
    RETURNING last`);

  return {
    /** Returns `T-001` for takeout, `D-001` for delivery, undefined for an order at a table. */
    ticketNumber(tx: Tx, orderType: OrderType): string | undefined {
      if (orderType === "dine_in") return undefined;
      const number = next.get(orderType, clock.date(tx.now))?.last ?? 1;
      return `${prefixOf(orderType)}-${String(number).padStart(3, "0")}`;
    },

    /** Skips the number of an order that another hub issued, so that it is not issued again that day. */
    skip({ ticketNumber, orderType, createdAt }: Snapshot): void {
      const [, digits] = ISSUED.exec(ticketNumber ?? "") ?? [];
      const at = Date.parse(createdAt);
      if (digits === undefined || orderType === "dine_in" || Number.isNaN(at)) return;
      raiseCounter(db, { orderType, day: clock.date(at), last: Number(digits) });
    },
  };
}

function prefixOf(orderType: Exclude<OrderType, "dine_in">): string {
  return orderType === "takeout" ? "T" : "D";
}
