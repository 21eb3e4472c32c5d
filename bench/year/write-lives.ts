import { setTimeout as pause } from "node:timers/promises";
import { benchTotals } from "../lib/bench-lines.ts";
import { type Acknowledged, connectYearTerminal } from "./terminal.ts";
import { type YearOrder, yearOrder } from "./year-order.ts";

export interface LivesOptions {
  url: string;
  /** Token of a manager's back-office session. */
  token: string;
  tableIds: readonly number[];
  methodId: number;
  /** Number of paid orders. A tenth as many again are discarded. */
  paid: number;
  /** Number of orders that stay active: at most one on each table, the rest takeout. */
  active: number;
}

/** The stations of such a restaurant: the kitchen, and a bar that serves its drinks itself. */
export const STATIONS = [
  { id: "cocina", name: "Cocina" },
  { id: "bar", name: "Bar", productIds: Array.from({ length: 10 }, (_, n) => String(31 + n)), serving: true },
];

/** Past and open orders have different references. */
export const ACTIVE_PREFIX = "Orden A";
const PAID_PREFIX = "Orden P";
const DISCARDED_PREFIX = "Orden D";
/** Number of lives that are written concurrently; each worker has its own tables. */
const WORKERS = 6;
/** Ms between two versions of an order, so that their times differ. */
const STEP_MS = 2;

/** How the tickets of every ten checks end; the hub removes abandoned ones from the lists. */
const endings = ["made", "made", "made", "split", "made", "voided", "made", "left", "made", "split"] as const;

type Send = (type: string, fields?: Record<string, unknown>) => Promise<Acknowledged>;

/**
 * Lets terminals take orders through their whole life at a hub with these stations. Orders are edited, sent, seen, made and
 * served; some are split, have a dish voided, or are abandoned by the kitchen. Then they are paid, and closed by the hub.
 */
export async function writeLives(options: LivesOptions): Promise<void> {
  const { url, token, tableIds, methodId, paid, active } = options;
  const terminal = await connectYearTerminal(url, token, "year-lives");
  const queue: (() => (tableId: number | null) => Promise<void>)[] = [];
  const send: Send = async (type, fields = {}) => {
    const answer = await terminal.change({ type, ...fields });
    await pause(STEP_MS);
    return answer;
  };
  for (let n = 0; n < paid; n += 1) queue.push(() => (tableId) => writePaid(n, tableId));
  for (let n = 0; n < Math.ceil(paid / 10); n += 1) queue.push(() => (tableId) => writeDiscarded(n, paid + n, tableId));
  let started = 0;
  const work = async (worker: number): Promise<void> => {
    const tables = tableIds.filter((_, index) => index % WORKERS === worker);
    for (let life = queue.shift(); life !== undefined; life = queue.shift()) {
      // Two of three orders are at a table, as in a restaurant; the others are takeout.
      const n = started++;
      await life()(n % 3 === 2 ? null : (tables[n % tables.length] ?? null));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  for (let n = 0; n < active; n += 1) await stayActive(ACTIVE_PREFIX + n, n, tableIds[n] ?? null);
  await terminal.close();

  async function writePaid(index: number, tableId: number | null): Promise<void> {
    const posReference = PAID_PREFIX + index;
    const ending = endings[index % endings.length];
    const edit = async (baseVersion: number, snapshot: YearOrder): Promise<number> =>
      (await send("ORDER_UPSERT", { posReference, baseVersion, snapshot })).version;
    const edited = await edit(await edit(0, yearOrder(index, 0, tableId)), yearOrder(index, 1, tableId));
    const first = await send("ORDER_SEND", { posReference });
    await markSeen(first);
    if (ending !== "left") await make(posReference, yearOrder(index, 1, tableId));
    // Sent lines stay unchanged: an edit raises the quantity of one more line, which is sent in a second ticket.
    let order = yearOrder(index, 2, tableId);
    await edit(edited, order);
    const second = await send("ORDER_SEND", { posReference });
    if (ending !== "left") {
      await markSeen(second);
      await make(posReference, { ...order, lines: order.lines.slice(1, 2) });
      await serve([...ticketsOf(first), ...ticketsOf(second)]);
    }
    let { version } = second;
    if (ending === "voided") {
      order = withoutLast(order);
      version = await edit(version, order);
    }
    if (ending !== "split" || tableId === null) return pay(posReference, version, order);
    const [tableCheck, guestCheck] = splitCheck(order);
    const other = `${posReference}-2`;
    await send("ORDER_BATCH", {
      orders: [
        { posReference, baseVersion: version, snapshot: tableCheck },
        { posReference: other, baseVersion: 0, snapshot: guestCheck },
      ],
    });
    await pay(other, 1, guestCheck);
    await pay(posReference, version + 1, tableCheck);
  }

  /** Lets each station mark its ticket as seen. */
  async function markSeen(sent: Acknowledged): Promise<void> {
    for (const [index, kitchenTicketId] of ticketsOf(sent).entries()) {
      await send("KITCHEN_SEEN", { kitchenTicketId, stationId: STATIONS[index]?.id ?? "cocina" });
    }
  }

  async function make(posReference: string, { lines }: YearOrder): Promise<void> {
    for (const { id: lineId, quantity: preparedQuantity } of lines) {
      await send("KITCHEN_BUMP", { posReference, lineId, preparedQuantity });
    }
  }

  async function serve(ticketIds: readonly string[]): Promise<void> {
    for (const kitchenTicketId of ticketIds) await send("KITCHEN_SERVED", { kitchenTicketId });
  }

  async function pay(posReference: string, baseVersion: number, { totals }: YearOrder): Promise<void> {
    const { version } = await send("ORDER_CHECKOUT", { posReference, baseVersion });
    const payments = [{ methodId, amount: totals.total }];
    await send("ORDER_PAY", { posReference, baseVersion: version, payments });
    // The hub writes the last version once the back-office has the order.
  }

  async function writeDiscarded(n: number, index: number, tableId: number | null): Promise<void> {
    const posReference = DISCARDED_PREFIX + n;
    await send("ORDER_UPSERT", { posReference, baseVersion: 0, snapshot: yearOrder(index, 0, tableId) });
    await send("ORDER_UPSERT", { posReference, baseVersion: 1, snapshot: yearOrder(index, 1, tableId) });
    const sent = await send("ORDER_SEND", { posReference });
    await send("ORDER_DISCARD", { posReference, baseVersion: 3, reason: "el cliente se fue" });
    await markSeen(sent);
  }

  async function stayActive(posReference: string, index: number, tableId: number | null): Promise<void> {
    await send("ORDER_UPSERT", { posReference, baseVersion: 0, snapshot: yearOrder(index, 0, tableId) });
    if (index % 3 > 0) {
      await send("ORDER_UPSERT", { posReference, baseVersion: 1, snapshot: yearOrder(index, 1, tableId) });
    }
    if (index % 3 > 1) await send("ORDER_SEND", { posReference });
  }
}

const ticketsOf = ({ kitchenTicketIds, kitchenTicketId }: Acknowledged): string[] =>
  kitchenTicketIds ?? (kitchenTicketId === undefined ? [] : [kitchenTicketId]);

/** Returns the order after a manager voided its last dish, which was made: it stays on the check at no cost. */
function withoutLast({ lines, ...order }: YearOrder): YearOrder {
  const remaining = lines.slice(0, -1);
  return {
    ...order,
    lines: [...remaining, ...lines.slice(-1).map((line) => ({ ...line, voided: true }))],
    totals: benchTotals(remaining),
  };
}

/** Splits a table's check: returns the rest, and the check of a guest who pays for three dishes alone. */
function splitCheck({ lines, ...order }: YearOrder): [YearOrder, YearOrder] {
  const part = (own: YearOrder["lines"]): YearOrder => ({ ...order, lines: own, totals: benchTotals(own) });
  return [part(lines.slice(0, -3)), part(lines.slice(-3))];
}
