import type { HubMessageOf, KitchenTicket, StoredOrder } from "@comanda/protocol";
import type { MutationMessage } from "@comanda/terminal";
import { expect, it } from "vitest";
import { compareLedger, createLedger, ledgerUntil, type Ledger } from "./ledger.ts";
import type { HubView } from "./read-hub.ts";

const line = { id: "a", quantity: 2 };
const upsert = {
  type: "ORDER_UPSERT",
  mutationId: "m1",
  posReference: "A",
  baseVersion: 0,
  snapshot: { lines: [line] },
};
const pay = {
  type: "ORDER_PAY",
  mutationId: "m2",
  posReference: "A",
  baseVersion: 1,
  payments: [{ methodId: 1, amount: 5 }],
};

function promised(): Ledger {
  const ledger = createLedger();
  for (const [index, message] of [upsert, pay].entries()) {
    const answer = {
      type: "ORDER_ACK",
      mutationId: message.mutationId,
      posReference: "A",
      version: index + 1,
      seq: index + 1,
    };
    ledger.acknowledged.push({
      message: message as MutationMessage,
      answer: answer as HubMessageOf<"ORDER_ACK">,
      mark: index * 100,
    });
  }
  return ledger;
}

/** Returns the view of a hub with this single order. */
function hubWith(
  over: { version?: number; quantity?: number; status?: string; amount?: number; ticketed?: number } = {},
  forward = ["A"],
): HubView {
  const { version = 2, quantity = 2, status = "paid", amount = 5, ticketed = quantity } = over;
  const payments = [{ methodId: 1, amount }];
  const order = { posReference: "A", version, snapshot: { status, lines: [{ id: "a", quantity }], payments } };
  const orders = new Map([["A", order as unknown as StoredOrder]]);
  const share = { posReference: "A", lineId: "a", quantity: ticketed, preparedQuantity: 0, cancelledQuantity: 0 };
  const tickets = [{ lines: [{ shares: [share] }] }] as unknown as KitchenTicket[];
  const states = new Map(forward.map((posReference) => [posReference, "pending"]));
  const seq = 2;
  return {
    hello: {} as HubView["hello"],
    place: { hubId: "", epoch: "", seq },
    seq,
    orders,
    tickets,
    forward: states,
    forwardEvents: forward,
  };
}

it("compareLedger reports nothing when the hub keeps its acknowledgements [FAULT-1]", () => {
  expect(compareLedger(promised(), hubWith(), { isComplete: true })).toEqual([]);
  expect(compareLedger(promised(), hubWith({ version: 3, status: "closed" }), { isComplete: true })).toEqual([]);
});

it.each([
  ["a missing order", { ...hubWith(), orders: new Map() }, "lost", "A is not there", 2],
  ["an order at an old version", hubWith({ version: 1 }), "lost", "at version 1 of 2", 1],
  ["another quantity", hubWith({ quantity: 1 }), "lost", "line a of A is not as written", 1],
  ["an undone payment", hubWith({ status: "checkout" }), "lost", "was paid and is checkout", 1],
  ["another amount", hubWith({ amount: 4 }), "lost", "the payment of A", 1],
  ["a payment that is not forwarded", hubWith({}, []), "lost", "not on its way", 1],
  ["an event forwarded twice", hubWith({}, ["A", "A"]), "doubled", "forwarded twice", 1],
  ["a dish sent to the kitchen twice", hubWith({ ticketed: 4 }), "doubled", "went to the kitchen twice", 1],
  ["a mutation applied twice", hubWith({ version: 3 }), "doubled", "3 versions of 2 mutations", 1],
])("compareLedger reports %s [FAULT-1]", (_, view, kind, description, count) => {
  const differences = compareLedger(promised(), view, { isComplete: true });
  expect(differences).toEqual([{ kind, description: expect.stringContaining(description), count }]);
});

it("ledgerUntil expects only what was acknowledged before the cut [FAULT-2]", () => {
  const view = hubWith({ version: 1, status: "open" });
  expect(compareLedger(ledgerUntil(promised(), 50), view)).toEqual([]);
  expect(compareLedger(ledgerUntil(promised(), 100), view)).not.toEqual([]);
});
