import type { HubMessage, TerminalMessageInput } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { content, storedOrder } from "../../test/builders.ts";
import { createOffers } from "./offers.ts";

type Offer = Extract<TerminalMessageInput, { type: "ORDER_OFFER" }>;

const taken: HubMessage = { type: "ORDER_OFFER_ACK", taken: 1 };
const refused = (retryable: boolean): HubMessage => ({
  type: "ERROR",
  errorCode: retryable ? "STORAGE_FULL" : "UNKNOWN_TYPE",
  error: "no",
  retryable,
});

/** Offers whose hub the test controls; with `answer` null a page gets no answer. */
function startOffers() {
  const sent: Offer[] = [];
  const hub = { isAccepted: true, answer: (): HubMessage | null => taken };
  const offers = createOffers({
    async send(message) {
      sent.push(message as Offer);
      const answer = hub.answer();
      if (answer === null) throw new Error("no answer");
      return answer;
    },
    isAccepted: () => hub.isAccepted,
  });
  return { offers, sent, hub };
}

const names = (offer: Offer | undefined) => offer?.orders.map((order) => order.posReference);

describe("createOffers", () => {
  it("[CLIENT-91] sends pages of at most 200 KiB, a larger order alone", async () => {
    const { offers, sent } = startOffers();
    const sized = (name: string, kib: number) => storedOrder(name, 1, content([], { notes: "n".repeat(kib * 1024) }));
    offers.add({ epoch: "old", orders: [sized("a", 90), sized("b", 90), sized("c", 300), sized("d", 1)] });
    await offers.send();
    expect(sent.map(names)).toEqual([["a", "b"], ["c"], ["d"]]);
    expect(sent.every((offer) => offer.epoch === "old")).toBe(true);
    await offers.send();
    expect(sent).toHaveLength(3);
  });

  it("[CLIENT-91] offers again what got no answer, and ends at a refusal", async () => {
    const { offers, sent, hub } = startOffers();
    offers.add({ epoch: "old", orders: [storedOrder("a", 1)] });
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

  it("[CLIENT-91] keeps what found no room, and offers it again", async () => {
    const { offers, sent, hub } = startOffers();
    offers.add({ epoch: "old", orders: [storedOrder("a", 1), storedOrder("b", 1)] });
    hub.answer = () => ({ type: "ORDER_OFFER_ACK", taken: 1, waiting: ["b"], error: "full" });
    await offers.send();
    hub.answer = () => taken;
    await offers.send();
    await offers.send();
    expect(sent.map(names)).toEqual([["a", "b"], ["b"]]);
  });

  it("[CLIENT-91] keeps its offers from a hub that does not take them", async () => {
    const { offers, sent, hub } = startOffers();
    hub.isAccepted = false;
    offers.add({ epoch: "old", orders: [storedOrder("a", 1)] });
    await offers.send();
    expect(sent).toEqual([]);
    hub.isAccepted = true;
    await offers.send();
    expect(sent.map(names)).toEqual([["a"]]);
  });

  it("[CLIENT-91] keeps the 500 newest, and of two forks each order as it was newest", async () => {
    const { offers, sent } = startOffers();
    const many = Array.from({ length: 510 }, (_, index) => {
      const order = storedOrder(`n${index}`, 1);
      order.snapshot.updatedAt = new Date(1_000_000 + index).toISOString();
      return order;
    });
    offers.add({ epoch: "first", orders: many });
    offers.add({ epoch: "second", orders: [storedOrder("n509", 7)] });
    await offers.send();
    expect(sent.map((offer) => [offer.epoch, offer.orders.length])).toEqual([
      ["first", 499],
      ["second", 1],
    ]);
    expect(sent[1]?.orders[0]?.version).toBe(7);
    expect(sent[0]?.orders[0]?.posReference).toBe("n10");
  });

  it("[CLIENT-104] leaves out an order that would have its whole page refused", async () => {
    const { offers, sent } = startOffers();
    const tooMuch = content([], { totals: { subtotal: 0, tax: 0, total: 1e10 } });
    offers.add({ epoch: "old", orders: [storedOrder("a", 1), storedOrder("b", 1, tooMuch), storedOrder("c", 1)] });
    await offers.send();
    expect(sent.map(names)).toEqual([["a", "c"]]);
  });
});
