import type { ForwardDetail, ForwardEvent, Snapshot } from "@comanda/protocol";
import { placeOf } from "@comanda/rules";
import type { ForwardAttempt } from "../../forwarding/attempt-log.ts";
import type { EventRow } from "../../forwarding/event-rows.ts";
import type { OrderStore } from "../../orders/store/order-store.ts";
import { isoTime, isoTimeOrNull } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";

/** Returns a paid order on its way to the back-office, as shown to the operator. */
export function presentForwardEvent(row: EventRow, deps: Pick<Stores, "events" | "orders">): ForwardEvent {
  const paid = paidVersion(row, deps.orders);
  const lastAttemptAt = attemptsOf(deps.events.listAttempts(row.id)).at(-1)?.at;
  return {
    eventId: String(row.id),
    type: row.type,
    posReference: row.posReference,
    place: paid === null ? null : placeOf(paid),
    state: row.state,
    total: paid === null ? null : paid.totals.total,
    createdAt: isoTime(row.createdAt),
    attempts: row.attempts,
    lastAttemptAt: lastAttemptAt === undefined ? null : isoTime(lastAttemptAt),
    nextAttemptAt: isoTimeOrNull(row.nextAttemptAt),
    forwardedAt: isoTimeOrNull(row.forwardedAt),
    error: row.error,
    errorCode: row.errorCode,
    note: row.note,
    setAsideUntil: isoTimeOrNull(row.setAsideUntil),
  };
}

export function presentForwardAttempts(attempts: readonly ForwardAttempt[]): ForwardDetail["attempts"] {
  return attemptsOf(attempts).map(({ at, outcome, detail, errorCode, ms }, index) => ({
    attempt: index + 1,
    at: isoTime(at),
    outcome: outcome === "finalized" || outcome === "duplicate" ? outcome : "failed",
    error: detail,
    errorCode,
    durationMs: ms,
  }));
}

function attemptsOf(attempts: readonly ForwardAttempt[]): ForwardAttempt[] {
  return attempts.filter(({ outcome }) => outcome !== "set_aside");
}

/** Returns the order as it was paid, or null if its row is damaged. */
function paidVersion({ posReference, version }: EventRow, orders: OrderStore): Snapshot | null {
  try {
    return orders.versionBody(posReference, version)?.snapshot ?? null;
  } catch {
    return null;
  }
}
