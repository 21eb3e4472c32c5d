import type { Snapshot, StoredOrder, Tender } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { content, entry, line, storedOrder } from "../../test/builders.ts";
import { localStateOn } from "../../test/local-state.ts";
import type { Intent } from "../outbox/entries/outbox-entry.ts";
import { isCertain, refusalByRule } from "../refusal-by-rule.ts";
import { createOrderCommands } from "./order-commands.ts";
import type { PricedMenu } from "../orders/reprice-line.ts";

const menu: PricedMenu = {
  products: [],
  taxes: [],
  rounding: "line",
  paymentMethods: [
    { id: 1, type: "cash" },
    { id: 2, type: "bank" },
  ],
};
const tender: Tender = { tenderId: "t", methodId: 2, amount: 60, takenAt: "", takenBy: "Ana", terminalId: "caja" };

/** Commands for checks of 100 on the hub. Collects the queued intents in the result. */
function service(checks: Record<string, Partial<Snapshot>>, knownMenu: PricedMenu | null = menu) {
  const intents: Intent[] = [];
  const stored = Object.entries(checks).map(([posReference, fields]): StoredOrder => {
    const order = storedOrder(posReference, 1, content([line(posReference, { total: 100 })]));
    return { ...order, snapshot: { ...order.snapshot, ...fields } };
  });
  const full = knownMenu === null ? null : { ...knownMenu, products: [] };
  const { local } = localStateOn({ orders: stored }, [], { menu: () => full });
  const commands = createOrderCommands({
    orders: local,
    uuid: () => "new",
    menu: () => knownMenu,
    ask(intent) {
      const refusal = local.refusalOf(entry(intent));
      if (refusal !== null && isCertain(refusal, knownMenu !== null)) throw refusalByRule(refusal);
      intents.push(intent);
      return { id: "", stored: Promise.resolve(), outcome: new Promise(() => {}) };
    },
  });
  return { commands, intents };
}

const refusal = (code: string) => expect.objectContaining({ name: "TerminalRefusal", code });
const partlyPaid = { tenders: [tender] };
const card = (amount: number) => ({ methodId: 2, amount });

describe("commands that the hub would refuse", () => {
  it("a payment that the check does not accept is refused before it is queued [RULE-12]", () => {
    const { commands, intents } = service({ A: partlyPaid, B: {}, empty: { lines: [] } });
    const wrong = refusal("VALIDATION_ERROR");
    expect(() => commands.tender("A", card(41))).toThrow(wrong);
    expect(() => commands.tender("empty", card(1))).toThrow(wrong);
    expect(() => commands.tender("B", { methodId: 1, amount: 100, tendered: 90 })).toThrow(wrong);
    expect(() => commands.pay("B", { payments: [card(101)] })).toThrow(wrong);
    expect(() => commands.pay("A", { payments: [card(39)] })).toThrow(wrong);
    expect(intents).toEqual([]);
    commands.tender("A", card(40));
    commands.tender("A", { methodId: 1, amount: 50 });
    commands.pay("B", { payments: [{ methodId: 1, amount: 500 }] });
    expect(intents).toHaveLength(3);
  });

  it("a payment with a method that this device does not know is left to the hub [RULE-12]", () => {
    const { commands, intents } = service({ A: partlyPaid, B: {} }, null);
    commands.tender("A", { ...card(500), tendered: 400 });
    expect(() => commands.pay("B", { payments: [card(99)] })).toThrow(refusal("VALIDATION_ERROR"));
    const other = service({ A: partlyPaid });
    other.commands.tender("A", { methodId: 9, amount: 500 });
    expect([intents.length, other.intents.length]).toEqual([1, 1]);
  });

  it("a change that a check with payments does not allow is refused before it is queued [RULE-12]", () => {
    const { commands, intents } = service({ A: partlyPaid, B: {} });
    const hasPayments = refusal("HAS_PAYMENTS");
    expect(() => commands.discardOrder("A")).toThrow(hasPayments);
    expect(() => commands.mergeOrders(["A"], "B")).toThrow(hasPayments);
    expect(() => commands.editOrder("A", () => content([line("A", { total: 59.99 })]))).toThrow(hasPayments);
    expect(() => commands.moveLines("A", "B", [{ lineId: "A" }])).toThrow(hasPayments);
    expect(intents).toEqual([]);
    commands.editOrder("A", () => content([line("A", { total: 60 })]));
    commands.mergeOrders(["B"], "A");
    commands.discardOrder("B");
    expect(intents).toHaveLength(3);
  });
});
