import type { ClosingReport } from "@comanda/protocol";
import { sum } from "@comanda/rules";
import type { Db } from "../../db/open.ts";
import { readSentenceOrNull } from "../../db/rows/sentence-column.ts";
import { isoTime } from "../../platform/world.ts";
import type { PlaceOfOrder } from "../orders/place-of-order.ts";

export type NotInAccounting = ReturnType<typeof createNotInAccounting>;
type Part = ClosingReport["notInAccounting"][number];

interface WaitingOrder {
  posReference: string;
  paidAt: number;
  state: string;
  note: string | null;
  error: string | null;
  setAsideUntil: number | null;
  isHeld: number;
  /** Null if its row is damaged. */
  total: number | null;
  fiscal: string | null;
}

/** How many orders are listed per reason; the rest are only counted. */
const NAMED = 20;

/** Reads all paid orders that the back-office does not have, once each, grouped by what they wait for. */
export function createNotInAccounting({ db, placeOfOrder }: { db: Db; placeOfOrder: PlaceOfOrder }) {
  const waiting = db.prepare<[], WaitingOrder>(`
    SELECT posReference, paidAt, state, note, error, setAsideUntil, isHeld,
      CASE WHEN json_valid(body) THEN body ->> '$.snapshot.totals.total' END AS total,
      CASE WHEN json_valid(body) THEN body ->> '$.snapshot.fiscal.status' END AS fiscal
    FROM (
      SELECT e.id, e.pos_reference AS posReference, e.created_at AS paidAt, e.state, e.note, e.error,
        e.set_aside_until AS setAsideUntil,
        e.is_held AS isHeld, plain(v.body, v.packed) AS body
      FROM hub_events e
      LEFT JOIN orders o ON o.pos_reference = e.pos_reference LEFT JOIN order_versions v ON v.id = o.body_id
      WHERE e.forwarded = 0)
    ORDER BY id`);

  return (): Part[] => {
    const byReason = Map.groupBy(waiting.all(), reasonOf);
    return [...byReason].map(([waitsFor, orders]) => ({
      waitsFor,
      orders: orders.length,
      amount: sum(orders.map(({ total }) => total ?? 0)),
      oldestAt: isoTime(Math.min(...orders.map(({ paidAt }) => paidAt))),
      oldest: orders.slice(0, NAMED).map(({ posReference, total, paidAt, note, error }) => ({
        posReference,
        place: placeOfOrder(posReference),
        total,
        paidAt: isoTime(paidAt),
        note,
        error: readSentenceOrNull(error),
      })),
    }));
  };
}

function reasonOf({ state, setAsideUntil, isHeld, fiscal }: WaitingOrder): Part["waitsFor"] {
  if (state === "attention") return setAsideUntil === null ? "decision" : "set_aside";
  if (isHeld === 0) return "queue";
  return fiscal === "failed" ? "refused_number" : "number";
}
