import { DAY_MS, type KitchenTicket, type Learned, learnedPage } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { terminalSnapshot } from "../support/builders.ts";
import { startTestHub, type TestHub } from "../support/start-test-hub.ts";
import { storeSales, storeTickets, type PastSale } from "../support/data/store-history.ts";
import { terminalApiOf } from "../support/terminal-api.ts";

const env = { HUB_TIME_ZONE: "America/Santo_Domingo" };
const [PESCADO, CERVEZA, CAFE] = [101, 102, 103];
const others = [201, 202, 203, 204, 205, 206];

/** Returns this hour in Santo Domingo (UTC-4), `days` days ago, in ms since 1970. */
function ago(days: number, hour: number): number {
  const today = Date.now() - (Date.now() % DAY_MS);
  return today - days * DAY_MS + (hour + 4) * 3_600_000;
}

/** Six days of sales: coffee in the morning, beer at night, and fish sold only by Ana. */
function sixDays(): PastSale[] {
  return [2, 3, 4, 5, 6, 7].flatMap((days) => [
    { at: ago(days, 8), sold: { [CAFE]: 10, [PESCADO]: 1 } },
    {
      at: ago(days, 21),
      staffName: "Luis",
      sold: { [CERVEZA]: 8, ...Object.fromEntries(others.map((id) => [id, 1])) },
    },
    { at: ago(days, 21) + 60_000, sold: { [PESCADO]: 4 } },
  ]);
}

async function hubWith(write: (dbPath: string) => void): Promise<TestHub> {
  const hub = await startTestHub({ env });
  await hub.restart(() => write(hub.dbPath));
  return hub;
}

async function learnedOf(hub: TestHub): Promise<Learned> {
  return (await terminalApiOf(hub)("learned")).body as Learned;
}

const isSold = () => true;

describe("learned products", () => {
  it("products are ranked by the hour of the restaurant's clock, from the sales of the last four weeks [TAPI-50]", async () => {
    const hub = await hubWith((dbPath) => {
      // Older than four weeks, so it must not count.
      const longAgo = { at: ago(40, 21), sold: { 301: 500 } };
      storeSales(dbPath, [...sixDays(), longAgo]);
    });
    const learned = await learnedOf(hub);
    const first = (hour: number) =>
      learned.hours.filter((each) => each.hour === hour).map(({ products }) => products[0]);
    expect(learned.timeZone).toBe("America/Santo_Domingo");
    expect(first(8).map((each) => each?.productId)).toEqual([String(CAFE), String(CAFE)]);
    expect(first(21).map((each) => each?.productId)).toEqual([String(CERVEZA), String(CERVEZA)]);
    // An hour without sales uses the ranking of the whole day.
    expect(first(15).map((each) => each?.productId)).toEqual([String(CAFE), String(CAFE)]);
    expect(JSON.stringify(learned)).not.toContain("301");
    // Coffee ranks high for Ana at night too: she sells it all morning.
    const pages = ["Luis", "Ana"].map((person) => learnedPage(learned, { at: ago(0, 21), person, isSold }));
    expect(pages.map(([one]) => one)).toEqual([String(CERVEZA), String(CERVEZA)]);
    expect(pages.map((page) => page.indexOf(String(CAFE)) < 3)).toEqual([false, true]);
    const shareOfFish = (name: string) =>
      learned.people
        .find((each) => each.name === name)
        ?.products.find(({ productId }) => productId === String(PESCADO));
    expect([shareOfFish("Luis"), shareOfFish("Ana")?.share]).toEqual([undefined, expect.any(Number)]);
  });

  it("the rankings are empty before sales on three days and of 60 dishes [TAPI-51]", async () => {
    const hub = await hubWith((dbPath) => {
      storeSales(
        dbPath,
        [2, 3].map((days) => ({ at: ago(days, 20), sold: { [CERVEZA]: 10, [CAFE]: 10, 9: 10, 8: 10 } })),
      );
    });
    expect(await learnedOf(hub)).toMatchObject({ hours: [], people: [], dishTimes: [] });
    await hub.restart(() => storeSales(hub.dbPath, [{ at: ago(4, 20), sold: { [CERVEZA]: 1 } }]));
    expect((await learnedOf(hub)).hours).toHaveLength(48);
  });

  it("the rankings stay the same all business day, with 304 for their ETag [TAPI-52]", async () => {
    const hub = await hubWith((dbPath) => storeSales(dbPath, sixDays()));
    const call = terminalApiOf(hub);
    const { headers, body } = await call("learned");
    const etag = String(headers["etag"]);
    const till = await hub.terminal({ login: "cashier" });
    await till.change({ type: "ORDER_UPSERT", posReference: "NEW", baseVersion: 0, snapshot: terminalSnapshot() });
    const payments = [{ methodId: 1, amount: 100 }];
    await till.change({ type: "ORDER_PAY", posReference: "NEW", baseVersion: 1, payments });
    expect((await call("learned", { headers: { "If-None-Match": etag } })).status).toBe(304);
    await hub.restart();
    expect((await call("learned")).body).toEqual(body);
    const dayStart = new Date(Date.parse((body as Learned).asOf ?? ""));
    expect([dayStart.getUTCHours(), dayStart.getUTCMinutes()]).toEqual([9, 0]);
  });
});

/** Builds a ticket whose dishes were ready after these minutes. */
function cookedTicket(number: number, minutes: Readonly<Record<number, number>>, fields: Partial<KitchenTicket> = {}) {
  const sentAt = ago(2 + (number % 5), 20) + number * 60_000;
  const readyAt = (after: number) => new Date(sentAt + after * 60_000).toISOString();
  return {
    id: `past-${number}`,
    posReference: `PAST/${number}`,
    stationId: null,
    stationName: null,
    orderType: "takeout",
    tableId: null,
    checkNumber: null,
    ticketNumber: null,
    customerName: null,
    sentAt: new Date(sentAt).toISOString(),
    sentBy: "Ana",
    terminalId: "till",
    seen: [],
    serving: false,
    lines: Object.entries(minutes).map(([productId, after]) => ({
      lineId: productId,
      productId: Number(productId),
      name: productId,
      quantity: 1,
      preparedQuantity: 1,
      cancelledQuantity: 0,
      state: "ready",
      kitchenLineId: productId,
      isSeen: true,
      isServed: false,
      readyAt: readyAt(after),
      shares: [],
    })),
    readyAt: readyAt(Math.max(...Object.values(minutes))),
    isOver: true,
    ...fields,
  } satisfies KitchenTicket;
}

describe("cooking times", () => {
  it("a dish's usual time is the median of at least eight times from sent to ready [TAPI-53]", async () => {
    const hub = await hubWith((dbPath) => {
      const minutes = [10, 11, 12, 13, 14, 15, 16, 17, 18];
      const tickets = minutes.map((each, index) =>
        cookedTicket(index, { [PESCADO]: each, [CERVEZA]: 2, ...(index > 1 && { [CAFE]: 3 }) }),
      );
      // None of these counts as a cooking time.
      const expired = cookedTicket(20, { [PESCADO]: 100 }, { expired: true });
      const late = cookedTicket(21, { [PESCADO]: 100 }, { late: true });
      const forgotten = cookedTicket(22, { [PESCADO]: 300 });
      storeTickets(dbPath, [...tickets, expired, late, forgotten]);
    });
    const { dishTimes } = await learnedOf(hub);
    const sorted = dishTimes.toSorted((one, other) => (one.productId < other.productId ? -1 : 1));
    expect(sorted).toEqual([
      { productId: String(PESCADO), usualMs: 14 * 60_000, samples: 9 },
      { productId: String(CERVEZA), usualMs: 2 * 60_000, samples: 9 },
    ]);
  });

  it("a ticket line has the time when it became ready, and none after going back to work [KIT-70]", async () => {
    const hub = await startTestHub();
    const terminal = await hub.terminal();
    const lines = ["a", "b"].map((id) => ({ id, productId: 101, quantity: 1, unitPrice: 50, total: 50 }));
    const snapshot = terminalSnapshot({ lines });
    await terminal.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot });
    await terminal.change({ type: "ORDER_SEND", posReference: "A", baseVersion: 1 });
    const { ticket } = await terminal.next("TICKET_CHANGED");
    const bump = async (preparedQuantity: number) => {
      const lineId = "a";
      await terminal.change({
        type: "KITCHEN_BUMP",
        posReference: "A",
        kitchenTicketId: ticket.id,
        lineId,
        preparedQuantity,
      });
      const changed = await terminal.next("TICKET_CHANGED");
      return changed.ticket.lines.map(({ readyAt }) => readyAt !== undefined);
    };
    expect(await bump(1)).toEqual([true, false]);
    expect(await bump(0)).toEqual([false, false]);
  });
});
