import type { Database } from "better-sqlite3";
import type { World } from "../../platform/world.ts";

/** Kitchen tickets as records of their own, and which checks hold or held a share of each. They stood in the orders before. */
export function migrate(db: Database, world: World): void {
  db.exec(`
    CREATE TABLE tickets (
      id INTEGER PRIMARY KEY,
      ticket_id TEXT NOT NULL UNIQUE,
      pos_reference TEXT NOT NULL,
      seq INTEGER NOT NULL,
      is_over INTEGER NOT NULL,
      sent_at INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    CREATE INDEX ticket_by_seq ON tickets (seq);
    CREATE INDEX ticket_open ON tickets (sent_at) WHERE is_over = 0;
    CREATE INDEX ticket_over ON tickets (seq) WHERE is_over = 1;

    CREATE TABLE ticket_orders (
      pos_reference TEXT NOT NULL,
      ticket_id TEXT NOT NULL,
      PRIMARY KEY (pos_reference, ticket_id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX ticket_order_by_ticket ON ticket_orders (ticket_id);

    DROP TABLE kitchen_tickets;
  `);
  const orders = db
    .prepare<[number], { body: string }>(`
      SELECT v.body FROM orders o JOIN order_versions v ON v.id = o.body_id
      WHERE (o.is_active = 1 OR o.updated_at >= ?) AND v.packed IS NULL AND json_valid(v.body)`)
    .all(world.clock.now() - DAY_MS)
    .map(({ body }) => JSON.parse(body) as OldOrder);
  const insert = db.prepare(`
    INSERT INTO tickets (ticket_id, pos_reference, seq, is_over, sent_at, body)
    VALUES (@id, @posReference, @seq, @isOver, @sentAt, @body)`);
  const link = db.prepare("INSERT INTO ticket_orders (pos_reference, ticket_id) VALUES (?, ?)");
  let seq = db.prepare<[], number>("SELECT seq FROM hub_state").pluck().get() ?? 0;
  for (const ticket of ticketsOf(orders, world)) {
    const { id, posReference, isOver, lines } = ticket;
    // A number of its own: terminals that come back with what they had must get it.
    seq += 1;
    const sentAt = Date.parse(ticket.sentAt);
    insert.run({ id, posReference, seq, isOver: isOver ? 1 : 0, sentAt, body: JSON.stringify(ticket) });
    const holders = lines.flatMap(({ shares }) => shares.map((share) => share.posReference));
    for (const holder of new Set([posReference, ...holders])) link.run(holder, id);
  }
  db.prepare("UPDATE hub_state SET seq = ?").run(seq);
}

const DAY_MS = 86_400_000;

interface OldLine extends Record<string, unknown> {
  id: string;
  productId?: string | number;
  voided?: boolean;
  sentQuantity?: number;
  preparedQuantity?: number;
  kitchenSentAt?: string;
  kitchenTicketId?: string;
}

interface OldTicket {
  id: string;
  sentAt: string;
  sentBy: string;
  late?: boolean;
  queuedAt?: string;
  seen: { stationId: string; at: string }[];
  lines: { lineId: string; quantity: number }[];
}

interface OldOrder {
  posReference: string;
  terminalId: string;
  snapshot: Record<string, unknown> & { status: string; lines: OldLine[]; kitchenTickets?: OldTicket[] };
}

/** What the lines of these orders say of the kitchen, as tickets; oldest first. */
function ticketsOf(orders: readonly OldOrder[], world: World) {
  const known = new Map(
    orders.flatMap((order) => (order.snapshot.kitchenTickets ?? []).map((ticket) => [ticket.id, { order, ticket }])),
  );
  const parts = orders.flatMap((order) => order.snapshot.lines.flatMap((line) => partsOf(order, line)));
  const tickets = [...Map.groupBy(parts, ({ ticketId }) => ticketId)].map(([id, own]) => {
    const [first] = own;
    const source = known.get(id);
    const order = source?.order ?? first?.order;
    const snapshot: Record<string, unknown> = order?.snapshot ?? {};
    const { orderType, tableId, checkNumber, ticketNumber, customerName, staffName } = snapshot;
    const seen = source?.ticket.seen ?? [];
    const lines = [...Map.groupBy(own, ({ line }) => line.id).values()].map((same) =>
      ticketLine(same, seen.length > 0, world.random.uuid()),
    );
    const isOver = lines.every(({ state, isSeen }) => state === "ready" || (state === "cancelled" && isSeen));
    return {
      id,
      posReference: order?.posReference ?? "",
      stationId: null,
      stationName: null,
      orderType: orderType ?? "dine_in",
      tableId: tableId ?? null,
      checkNumber: checkNumber ?? null,
      ticketNumber: ticketNumber ?? null,
      customerName: customerName ?? null,
      sentAt: source?.ticket.sentAt ?? first?.line.kitchenSentAt ?? new Date(world.clock.now()).toISOString(),
      sentBy: source?.ticket.sentBy ?? staffName ?? "",
      // Nobody takes back what an earlier version of the hub sent.
      terminalId: "",
      ...(source?.ticket.late === true && { late: true, queuedAt: source.ticket.queuedAt }),
      seen,
      serving: false,
      lines,
      readyAt: isOver ? new Date(world.clock.now()).toISOString() : null,
      isOver,
    };
  });
  return tickets.sort((a, b) => (a.sentAt < b.sentAt ? -1 : a.sentAt > b.sentAt ? 1 : 0));
}

interface Part {
  order: OldOrder;
  line: OldLine;
  ticketId: string;
  quantity: number;
  prepared: number;
}

/** How a sent line is spread over the tickets of its order, newest first; what none of them explains is of its newest. */
function partsOf(order: OldOrder, line: OldLine): Part[] {
  const { kitchenTicketId: newest } = line;
  let left = line.sentQuantity ?? 0;
  if (newest === undefined || left <= 0) return [];
  const amounts = new Map<string, number>();
  for (const ticket of (order.snapshot.kitchenTickets ?? []).toReversed()) {
    for (const { lineId, quantity } of ticket.lines) {
      if (lineId !== line.id || quantity <= 0 || left <= 0) continue;
      const amount = Math.min(left, quantity);
      amounts.set(ticket.id, (amounts.get(ticket.id) ?? 0) + amount);
      left = rounded(left - amount);
    }
  }
  if (left > 0) amounts.set(newest, (amounts.get(newest) ?? 0) + left);
  let prepared = line.preparedQuantity ?? 0;
  return [...amounts].toReversed().map(([ticketId, quantity]) => {
    const ready = Math.min(prepared, quantity);
    prepared = rounded(prepared - ready);
    return { order, line, ticketId, quantity, prepared: ready };
  });
}

function ticketLine(parts: readonly Part[], isSeen: boolean, kitchenLineId: string) {
  const shares = parts.map(({ order, line, quantity, prepared }) => ({
    posReference: order.posReference,
    lineId: line.id,
    quantity: rounded(quantity),
    preparedQuantity: prepared,
    cancelledQuantity: line.voided === true ? rounded(quantity - prepared) : 0,
  }));
  const total = (amount: "quantity" | "preparedQuantity" | "cancelledQuantity") =>
    rounded(shares.reduce((all, share) => all + share[amount], 0));
  const [quantity, preparedQuantity] = [total("quantity"), total("preparedQuantity")];
  const cancelledQuantity = total("cancelledQuantity");
  const active = rounded(quantity - cancelledQuantity);
  const line = parts[0]?.line;
  const name = [line?.["name"], line?.["productName"]].find((each) => typeof each === "string");
  return {
    lineId: line?.id ?? "",
    productId: line?.productId ?? null,
    name: name ?? String(line?.productId ?? line?.id),
    quantity,
    preparedQuantity,
    cancelledQuantity,
    state:
      active === 0
        ? "cancelled"
        : preparedQuantity >= active
          ? "ready"
          : preparedQuantity > 0
            ? "started"
            : isSeen
              ? "seen"
              : "unseen",
    kitchenLineId,
    // Whoever saw it need not have seen what was cancelled since.
    isSeen: isSeen && cancelledQuantity === 0,
    isServed: false,
    note: line?.["note"] ?? null,
    specialRequest: line?.["specialRequest"] ?? null,
    seat: null,
    course: null,
    shares,
  };
}

/** Quantities have at most four decimals. */
function rounded(quantity: number): number {
  return Math.round(quantity * 10_000) / 10_000;
}
