import type { HubMessage, OrderRemoval, StoredOrder, TerminalMessageInput } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { content, storedOrder } from "../../../test/builders.ts";
import { createOffers, type SavedOffer } from "./offers.ts";
import { protocolSchemas } from "../../schemas.ts";

type Offer = Extract<TerminalMessageInput, { type: "ORDER_OFFER" }>;

const accepted: HubMessage = { type: "ORDER_OFFER_ACK", taken: 1 };
const refused = (retryable: boolean): HubMessage => ({
  type: "ERROR",
  errorCode: retryable ? "STORAGE_FULL" : "UNKNOWN_TYPE",
  error: "no",
  retryable,
});

/** Offers with a hub that the test controls. If `answer` returns null, a page gets no answer. */
function startOffers(loaded: readonly SavedOffer[] = []) {
  const sent: Offer[] = [];
  const storage = { offers: loaded };
  const hub = { isAccepted: true, answer: (): HubMessage | null => accepted, orders: new Map<string, StoredOrder>() };
  const offers = createOffers({
    schemas: protocolSchemas,
    loaded,
    save: (list) => (storage.offers = list),
    now: () => Date.parse("2026-11-22T20:00:00.000Z"),
    order: (posReference) => hub.orders.get(posReference),
    changed: () => {},
    async send(message) {
      sent.push(message as Offer);
      const answer = hub.answer();
      if (answer === null) throw new Error("no answer");
      return answer;
    },
    isAccepted: () => hub.isAccepted,
  });
  const add = (epoch: string, orders: StoredOrder[], hubId?: string, removed: OrderRemoval[] = []) =>
    offers.add({ hubId: hubId ?? "here", epoch, orders, removed }, hubId !== undefined);
  return { offers, add, sent, hub, storage };
}

const names = (offer: Offer | undefined) => offer?.orders.map((order) => order.posReference);

describe("createOffers", () => {
  it("offers are sent in pages of at most 200 KiB, a larger order alone [CLIENT-91]", async () => {
    const { offers, add, sent } = startOffers();
    const sized = (name: string, kib: number) => storedOrder(name, 1, content([], { notes: "n".repeat(kib * 1024) }));
    add("old", [sized("a", 90), sized("b", 90), sized("c", 300), sized("d", 1)]);
    await offers.send();
    expect(sent.map(names)).toEqual([["a", "b"], ["c"], ["d"]]);
    expect(sent.every((offer) => offer.epoch === "old")).toBe(true);
    await offers.send();
    expect(sent).toHaveLength(3);
  });

  it("an unanswered offer is repeated, and a refused one is not [CLIENT-91]", async () => {
    const { offers, add, sent, hub } = startOffers();
    add("old", [storedOrder("a", 1)]);
    hub.answer = () => null;
    await offers.send();
    hub.answer = () => refused(true);
    await offers.send();
    hub.answer = () => refused(false);
    await offers.send();
    expect(sent.map(names)).toEqual([["a"], ["a"], ["a"]]);
    await offers.send();
    expect(sent).toHaveLength(3);
  });

  it("an offer that did not fit is kept and repeated [CLIENT-91]", async () => {
    const { offers, add, sent, hub } = startOffers();
    add("old", [storedOrder("a", 1), storedOrder("b", 1)]);
    hub.answer = () => ({ type: "ORDER_OFFER_ACK", taken: 1, waiting: ["b"], error: "full" });
    await offers.send();
    hub.answer = () => accepted;
    await offers.send();
    await offers.send();
    expect(sent.map(names)).toEqual([["a", "b"], ["b"]]);
  });

  it("offers are not sent to a hub that does not accept them [CLIENT-91]", async () => {
    const { offers, add, sent, hub } = startOffers();
    hub.isAccepted = false;
    add("old", [storedOrder("a", 1)]);
    await offers.send();
    expect(sent).toEqual([]);
    hub.isAccepted = true;
    await offers.send();
    expect(sent.map(names)).toEqual([["a"]]);
  });

  it("the 500 newest offers are kept, and of two forks the newest version of each order [CLIENT-91]", async () => {
    const { offers, add, sent } = startOffers();
    const many = Array.from({ length: 510 }, (_, index) => {
      const order = storedOrder(`n${index}`, 1);
      order.snapshot.updatedAt = new Date(Date.parse("2026-11-21T12:00:00.000Z") + index).toISOString();
      return order;
    });
    add("first", many);
    add("second", [storedOrder("n509", 7)]);
    await offers.send();
    expect(sent.map((offer) => [offer.epoch, offer.orders.length])).toEqual([
      ["first", 499],
      ["second", 1],
    ]);
    expect(sent[1]?.orders[0]?.version).toBe(7);
    expect(sent[0]?.orders[0]?.posReference).toBe("n10");
  });

  it("an order that would have its whole page refused is left out [CLIENT-104]", async () => {
    const { offers, add, sent } = startOffers();
    const tooMuch = content([], { totals: { subtotal: 0, tax: 0, total: 1e10 } });
    add("old", [storedOrder("a", 1), storedOrder("b", 1, tooMuch), storedOrder("c", 1)]);
    await offers.send();
    expect(sent.map(names)).toEqual([["a", "c"]]);
  });

  it("known removals are offered with the orders, once, and not shown [CLIENT-251]", async () => {
    const { offers, add, sent } = startOffers();
    const at = "2026-11-22T19:00:00.000Z";
    const merged = { posReference: "a", version: 4, mergedInto: ["b"], at };
    add("old", [storedOrder("a", 3), storedOrder("b", 2)], undefined, [merged]);
    add("former", [storedOrder("c", 1)], "former hub", [{ posReference: "d", version: 2, at }]);
    await offers.send();
    expect(sent.map(names)).toEqual([["b"], ["c"]]);
    expect(sent.map(({ removed }) => removed)).toEqual([[merged], [{ posReference: "d", version: 2, at }]]);
    expect(offers.formerChecks().map(({ posReference }) => posReference)).toEqual(["c"]);
    await offers.send();
    expect(sent).toHaveLength(2);
  });

  it("offers of finished orders are left out first when not all fit [CLIENT-251]", async () => {
    const { offers, add, sent } = startOffers();
    const removed = Array.from({ length: 10 }, (_, index) => {
      return { posReference: `gone ${index}`, version: 2, at: "2026-11-22T19:00:00.000Z" };
    });
    const many = Array.from({ length: 495 }, (_, index) => storedOrder(`n${index}`, 1));
    add("old", many, undefined, removed);
    await offers.send();
    expect(sent.flatMap(({ orders }) => orders)).toHaveLength(495);
    expect(sent.flatMap((offer) => offer.removed ?? [])).toEqual(removed.slice(-5));
  });

  it("orders of another hub are proposed separately, and those it had closed are not shown [CLIENT-191]", async () => {
    const { add, offers, sent } = startOffers();
    const closed = storedOrder("closed", 3);
    closed.snapshot.status = "closed";
    add("old", [storedOrder("own", 1)]);
    add("former", [storedOrder("a", 1), closed, storedOrder("b", 1)], "former hub");
    await offers.send();
    expect(sent).toMatchObject([{ epoch: "former", hubId: "former hub" }, { epoch: "old" }]);
    expect(sent[1]).not.toHaveProperty("hubId");
    expect(sent.map(names)).toEqual([["closed", "a", "b"], ["own"]]);
    expect(offers.formerChecks().map(({ posReference }) => posReference)).toEqual(["a", "b"]);
  });

  it("each check's offer says whether a manager is asked, until the hub has it or it was read [CLIENT-192]", async () => {
    const { add, offers, hub } = startOffers();
    add("former", [storedOrder("a", 1), storedOrder("b", 1)], "former hub");
    const checks = () => offers.formerChecks().map(({ posReference, state }) => [posReference, state]);
    hub.isAccepted = false;
    await offers.send();
    expect(checks()).toEqual([
      ["a", "waiting"],
      ["b", "waiting"],
    ]);
    hub.isAccepted = true;
    hub.answer = () => ({ type: "ORDER_OFFER_ACK", taken: 1, waiting: ["b"], error: "full" });
    await offers.send();
    expect(checks()).toEqual([
      ["a", "asked"],
      ["b", "waiting"],
    ]);
    offers.forgetAnswered();
    expect(checks()).toEqual([["b", "waiting"]]);
    hub.answer = () => ({ type: "ORDER_OFFER_ACK", taken: 0, error: "this hub has a past of its own" });
    await offers.send();
    expect(checks()).toEqual([["b", "refused"]]);
    hub.orders.set("b", storedOrder("b", 1));
    offers.forget();
    expect(checks()).toEqual([]);
  });

  it("own checks are kept as they were before a restore while the hub has them open [CLIENT-395]", async () => {
    const { add, offers, storage, hub } = startOffers();
    const paid = storedOrder("paid", 3);
    paid.snapshot.status = "paid";
    for (const order of [storedOrder("open", 2), paid]) hub.orders.set(order.posReference, order);
    add("old", [storedOrder("open", 4), storedOrder("paid", 2), storedOrder("gone", 2)]);
    await offers.send();
    offers.forget();
    const versions = (from: typeof offers) => ["open", "paid", "gone"].map((name) => from.formerOrder(name)?.version);
    expect(versions(offers)).toEqual([4, undefined, undefined]);
    expect(offers.formerChecks()).toEqual([]);
    const again = startOffers(storage.offers);
    await again.offers.send();
    expect([versions(again.offers), again.sent]).toEqual([[4, undefined, undefined], []]);
  });

  it("waiting and asked offers are kept over a reload for a week [CLIENT-192]", async () => {
    const { add, offers, storage, hub } = startOffers();
    add("former", [storedOrder("a", 1), storedOrder("b", 1)], "former hub");
    hub.answer = () => ({ type: "ORDER_OFFER_ACK", taken: 1, waiting: ["b"], error: "full" });
    await offers.send();
    const old = {
      ...storedOrder("old", 1),
      snapshot: { ...storedOrder("old", 1).snapshot, updatedAt: "2026-11-01T00:00:00Z" },
    };
    const outdated: SavedOffer = { hubId: "former hub", epoch: "former", state: "waiting", order: old };
    const again = startOffers([...storage.offers, outdated]);
    expect(again.offers.formerChecks().map(({ posReference }) => posReference)).toEqual(["a", "b"]);
    await again.offers.send();
    expect(again.sent.map(names)).toEqual([["b"]]);
  });
});
