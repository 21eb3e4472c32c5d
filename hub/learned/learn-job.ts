import type { KitchenTicket, Learned, StoredOrder } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import type Database from "better-sqlite3";
import { unpackEarlier } from "../db/rows/pack.ts";
import { parseColumn } from "../db/rows/parse-column.ts";
import { defineReading } from "../jobs/job.ts";
import { BODY } from "../orders/store/stored-body.ts";
import { createDishTimes } from "./dish-times.ts";
import { createSalesSum, type Sale } from "./sold-products.ts";

interface Input {
  file: string;
  timeZone: string;
  /** Sales and tickets from `since` until `now` count; ms since 1970. */
  since: number;
  now: number;
}

/** Rows read before other jobs run. */
const SLICE = 200;
/** Four weeks of the largest restaurant that this product is for. If there are more, the newest count. */
const MAX_ORDERS = 40_000;
const MAX_TICKETS = 80_000;

/** Counts what was sold and how long dishes took. Skips unreadable rows, which are reported elsewhere. */
export const learnJob = defineReading("learn", function* learn(db, input: Input): Generator<
  undefined,
  Pick<Learned, "hours" | "people" | "dishTimes">
> {
  const sales = createSalesSum(input);
  const times = createDishTimes();
  yield* readTickets(db, input, times.add);
  yield* readChecks(db, input, (check) => {
    for (const sale of salesOf(check)) sales.add(sale);
    // Tickets packed with checks, taken only from the check that sent them. They are older than those above.
    for (const ticket of ticketsOf(check)) if (ticket.posReference === check.posReference) times.add(ticket);
  });
  return { ...sales.ranked(), dishTimes: times.medians() };
});

type Period = Pick<Input, "since" | "now">;

/** The paid check of a row and its pack. */
interface Taking {
  at: number;
  posReference: string;
  body: string;
  earlier: Buffer | null;
}

/**
 * Reads the paid checks of a period, newest first. Each slice is its own statement: a long transaction would keep the
 * write-ahead log from being truncated.
 */
function* readChecks(
  db: Database.Database,
  { since, now }: Period,
  take: (check: Taking) => void,
): Generator<undefined> {
  const slice = db.prepare<{ since: number; at: number; posReference: string }, Taking>(`
    SELECT t.at, t.pos_reference AS posReference, ${BODY} AS body, v.earlier
    FROM takings t JOIN orders o ON o.pos_reference = t.pos_reference JOIN order_versions v ON v.id = o.body_id
    WHERE t.at >= @since AND (t.at, t.pos_reference) < (@at, @posReference)
    ORDER BY t.at DESC, t.pos_reference DESC LIMIT ${SLICE}`);
  let last: Pick<Taking, "at" | "posReference"> | undefined = { at: now, posReference: "" };
  for (let read = 0; last !== undefined && read < MAX_ORDERS; read += SLICE) {
    const rows: Taking[] = slice.all({ ...last, since });
    for (const row of rows) take(row);
    last = rows.length === SLICE ? rows.at(-1) : undefined;
    yield;
  }
}

/** Returns what was sold with a check, at the time when the guest ordered it. */
function salesOf({ at, body }: Taking): Sale[] {
  const snapshot = parseColumn<StoredOrder | null>(body, null)?.snapshot;
  if (snapshot === undefined) return [];
  return snapshot.lines.flatMap(({ productId, quantity, voided, voidedQuantity = 0, kitchenSentAt }) => {
    if (productId === undefined || voided === true) return [];
    const orderedAt = Date.parse(kitchenSentAt ?? snapshot.createdAt);
    return [
      {
        productId: String(productId),
        quantity: chargedQuantity({ quantity, voidedQuantity }),
        at: Number.isNaN(orderedAt) ? at : orderedAt,
        staffName: snapshot.staffName ?? null,
      },
    ];
  });
}

/** Reads the tickets of a period that have their own rows, newest first. */
function* readTickets(
  db: Database.Database,
  { since, now }: Period,
  take: (ticket: KitchenTicket) => void,
): Generator<undefined> {
  const slice = db.prepare<[number], { id: number; sentAt: number; body: string }>(
    `SELECT id, sent_at AS sentAt, plain(body, packed) AS body FROM tickets WHERE id < ? ORDER BY id DESC LIMIT ${SLICE}`,
  );
  let below: number | undefined = Number.MAX_SAFE_INTEGER;
  for (let read = 0; below !== undefined && read < MAX_TICKETS; read += SLICE) {
    const rows: { id: number; sentAt: number; body: string }[] = slice.all(below);
    for (const { sentAt, body } of rows) {
      const ticket = sentAt >= since && sentAt < now ? parseColumn<KitchenTicket | null>(body, null) : null;
      if (ticket !== null) take(ticket);
    }
    // Rows are in sending order, except single ones that a restore brought back.
    below = rows.length < SLICE || rows.every(({ sentAt }) => sentAt < since) ? undefined : rows.at(-1)?.id;
    yield;
  }
}

function ticketsOf({ earlier, body }: Taking): KitchenTicket[] {
  if (earlier === null) return [];
  try {
    return unpackEarlier(earlier, body).tickets.flatMap(
      (each) => parseColumn<KitchenTicket | null>(each.body, null) ?? [],
    );
  } catch {
    return [];
  }
}
