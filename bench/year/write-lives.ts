import { setTimeout as pause } from "node:timers/promises";
import { type Acknowledged, connectYearTerminal } from "./terminal.ts";
import { yearOrder } from "./year-order.ts";

export interface LivesOptions {
  url: string;
  /** A manager's back-office session. */
  token: string;
  tableIds: readonly number[];
  methodId: number;
  /** Orders that are paid; every tenth as many again is discarded. */
  paid: number;
  /** Orders that stay active: one on each table at the most, the rest takeout. */
  active: number;
}

/** The references of past and of open orders differ. */
export const ACTIVE_PREFIX = "Orden A";
const PAID_PREFIX = "Orden P";
const DISCARDED_PREFIX = "Orden D";
/** Lives that are written at the same time; each has its own tables. */
const WORKERS = 6;
/** No two versions of an order are written in the same millisecond, so that their times differ. */
const STEP_MS = 2;

type Send = (type: string, more?: Record<string, unknown>) => Promise<Acknowledged>;

/** Lets terminals live orders from beginning to end at a hub: 12 versions each for those that are paid and closed. */
export async function writeLives(options: LivesOptions): Promise<void> {
  const { url, token, tableIds, methodId, paid, active } = options;
  const terminal = await connectYearTerminal(url, token, "year-lives");
  const queue: (() => (tableId: number | null) => Promise<void>)[] = [];
  const sendOf =
    (posReference: string): Send =>
    async (type, more = {}) => {
      const answer = await terminal.change({ type, posReference, ...more });
      await pause(STEP_MS);
      return answer;
    };
  for (let n = 0; n < paid; n += 1) queue.push(() => (tableId) => livePaid(sendOf(PAID_PREFIX + n), n, tableId));
  for (let n = 0; n < Math.ceil(paid / 10); n += 1) {
    queue.push(() => (tableId) => liveDiscarded(sendOf(DISCARDED_PREFIX + n), paid + n, tableId));
  }
  let started = 0;
  const work = async (worker: number): Promise<void> => {
    const tables = tableIds.filter((_, index) => index % WORKERS === worker);
    for (let life = queue.shift(); life !== undefined; life = queue.shift()) {
      // Two of three at a table, as in a restaurant; the others are takeout.
      const n = started++;
      await life()(n % 3 === 2 ? null : (tables[n % tables.length] ?? null));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  for (let n = 0; n < active; n += 1) {
    await stayActive(sendOf(ACTIVE_PREFIX + n), n, tableIds[n] ?? null);
  }
  await terminal.close();

  async function livePaid(send: Send, index: number, tableId: number | null): Promise<void> {
    const edit = (baseVersion: number, edits: number): Promise<Acknowledged> =>
      send("ORDER_UPSERT", { baseVersion, snapshot: yearOrder(index, edits, tableId) });
    await edit(0, 0);
    await edit(1, 1);
    const { kitchenTicketId } = await send("ORDER_SEND");
    await send("KITCHEN_SEEN", { kitchenTicketId, stationId: "cocina" });
    await send("KITCHEN_BUMP", { lineId: `l${index}-0`, preparedQuantity: 1 });
    await send("KITCHEN_BUMP", { lineId: `l${index}-1`, preparedQuantity: 1 });
    // Sent lines stay as they are: an edit raises the quantity of one more, which is sent in a second ticket.
    const { version } = await edit(6, 2);
    await send("ORDER_SEND");
    await send("KITCHEN_BUMP", { lineId: `l${index}-2`, preparedQuantity: 1 });
    await send("ORDER_CHECKOUT", { baseVersion: version + 2 });
    const amount = yearOrder(index, 2, tableId).totals.total;
    await send("ORDER_PAY", { baseVersion: version + 3, payments: [{ methodId, amount }] });
    // The hub writes version 12 when the back-office has it.
  }

  async function liveDiscarded(send: Send, index: number, tableId: number | null): Promise<void> {
    await send("ORDER_UPSERT", { baseVersion: 0, snapshot: yearOrder(index, 0, tableId) });
    await send("ORDER_UPSERT", { baseVersion: 1, snapshot: yearOrder(index, 1, tableId) });
    await send("ORDER_SEND");
    await send("ORDER_DISCARD", { baseVersion: 3, reason: "el cliente se fue" });
  }

  async function stayActive(send: Send, index: number, tableId: number | null): Promise<void> {
    await send("ORDER_UPSERT", { baseVersion: 0, snapshot: yearOrder(index, 0, tableId) });
    if (index % 3 > 0) await send("ORDER_UPSERT", { baseVersion: 1, snapshot: yearOrder(index, 1, tableId) });
    if (index % 3 > 1) await send("ORDER_SEND");
  }
}
