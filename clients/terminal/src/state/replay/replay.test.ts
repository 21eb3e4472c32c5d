import { missingQuantity } from "@comanda/rules";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyContent, content, entry, line, storedOrder } from "../../../test/builders.ts";
import { shownOrder } from "../../../test/local-state.ts";
import { decideMessage } from "../../outbox/entries/decide-message.ts";
import { changesOf } from "../../outbox/entries/intent-content.ts";
import type { MutationMessage, OutboxEntry, Refusal } from "../../outbox/entries/outbox-entry.ts";
import { addLine } from "../../orders/edit-content.ts";
import { linesOf, sameContent, type OrderContent } from "../../orders/order-content.ts";
import type { ReplayKnowledge } from "./rule-context.ts";

const soup = line("soup", { total: 5 });
const beer = line("beer", { total: 3 });
const before = content([soup]);
const refusal: Refusal = { errorCode: "CONFLICT", error: "", collisions: [], at: "2026-11-21T20:00:00.000Z" };

describe("an order with queued mutations", () => {
  it("an order without queued mutations is the hub's [CLIENT-30]", () => {
    const stored = storedOrder("A", 3, before);
    expect(shownOrder("A", stored, [])).toMatchObject({ version: 3, pending: 0, snapshot: stored.snapshot });
    expect(shownOrder("A", undefined, [])).toBeUndefined();
  });

  it("a new order is shown before the hub knows it [CLIENT-31]", () => {
    const opened = entry({ type: "ORDER_UPSERT", posReference: "A", base: null, next: before });
    expect(shownOrder("A", undefined, [opened])).toMatchObject({
      version: 0,
      pending: 1,
      tableId: 4,
      snapshot: { posReference: "A", status: "open", lines: [soup], totals: { total: 5 } },
    });
  });

  it("an own queued line stays when another's arrives [CLIENT-30]", () => {
    const edited = entry({ type: "ORDER_UPSERT", posReference: "A", base: before, next: addLine(before, beer) });
    const wine = line("wine", { total: 8 });
    const shown = shownOrder("A", storedOrder("A", 2, addLine(before, wine)), [edited]);
    expect(shown?.snapshot.lines.map((each) => each.id)).toEqual(["soup", "wine", "beer"]);
    expect(shown?.snapshot.totals.total).toBe(16);
  });

  it("the kitchen's progress stays on a line that is edited here [CLIENT-30]", () => {
    const cooking = { ...soup, kitchenSentAt: "2026-11-21T20:01:00.000Z", sentQuantity: 1 };
    const stored = storedOrder("A", 2, content([cooking]));
    stored.snapshot.status = "sent";
    const edited = entry({ type: "ORDER_UPSERT", posReference: "A", base: before, next: addLine(before, beer) });
    expect(shownOrder("A", stored, [edited])?.snapshot).toMatchObject({ status: "changed", lines: [cooking, beer] });
  });

  it("a payment shows the content that was paid, even over a draft that others continued [CLIENT-42]", () => {
    const paid = entry({
      type: "ORDER_PAY",
      posReference: "A",
      seen: before,
      seenVersion: 1,
      payments: [{ methodId: 1, amount: 5 }],
    });
    const shown = shownOrder("A", storedOrder("A", 2, addLine(before, beer)), [paid]);
    expect(shown?.snapshot).toMatchObject({ status: "paid", lines: [soup], payments: [{ methodId: 1, amount: 5 }] });
    expect(shown?.paymentRefused).toBe(false);
    const refused = shownOrder("A", storedOrder("A", 2, before), [{ ...paid, refusal }]);
    expect(refused).toMatchObject({ pending: 0, paymentRefused: true, snapshot: { status: "paid" } });
  });

  it("conflicts are left out of the view [CLIENT-40]", () => {
    const edited = entry(
      { type: "ORDER_UPSERT", posReference: "A", base: before, next: addLine(before, beer) },
      { refusal },
    );
    expect(shownOrder("A", storedOrder("A", 2, before), [edited])?.snapshot.lines).toMatchObject([soup]);
  });

  it("both sides of a split are applied at once [CLIENT-30]", () => {
    const both = addLine(before, beer);
    const split = entry({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", base: both, next: before },
        { posReference: "B", base: null, next: content([beer]) },
      ],
    });
    expect(shownOrder("A", storedOrder("A", 1, both), [split])?.snapshot.lines).toMatchObject([soup]);
    expect(shownOrder("B", undefined, [split])?.snapshot.lines).toMatchObject([beer]);
  });

  it("the view follows check-out, reopening, sending, bumping and discarding [CLIENT-30]", () => {
    const stored = storedOrder("A", 1, before);
    const seen = { posReference: "A", seen: before, seenVersion: 1 };
    const steps = [
      entry({ type: "ORDER_SEND", posReference: "A" }),
      entry({
        type: "KITCHEN_BUMP",
        posReference: "A",
        lineId: "soup",
        preparedQuantity: 1,
        kitchenItemStatus: "ready",
      }),
      entry({ type: "ORDER_CHECKOUT", ...seen }),
      entry({ type: "ORDER_REOPEN", ...seen }),
      entry({ type: "ORDER_DISCARD", ...seen }),
    ];
    const shown = steps.map((_, index) => shownOrder("A", stored, steps.slice(0, index + 1))?.snapshot);
    expect(shown.map((each) => each?.status)).toEqual(["sent", "sent", "checkout", "sent", undefined]);
    expect(shown[1]?.lines[0]).toMatchObject({ preparedQuantity: 1, kitchenItemStatus: "ready" });
  });

  it("a reopened check with an unsent line is shown as changed [RULE-21]", () => {
    const sentSoup = { ...soup, quantity: 1, sentQuantity: 1, kitchenSentAt: "2026-11-21T20:00:00.000Z" };
    const stored = storedOrder("A", 1, content([sentSoup, beer]));
    const checkedOut = { ...stored, snapshot: { ...stored.snapshot, status: "checkout" as const } };
    const reopened = entry({ type: "ORDER_REOPEN", posReference: "A", seen: before, seenVersion: 1 });
    expect(shownOrder("A", checkedOut, [reopened])?.snapshot.status).toBe("changed");
  });

  it("a void dish replaces no other one before the hub has answered [RULE-21]", () => {
    const steak = { ...soup, quantity: 2, total: 10 };
    const cooked = {
      sentQuantity: 2,
      preparedQuantity: 2,
      kitchenSentAt: "2026-11-21T20:00:00.000Z",
      kitchenLineId: "dish",
    };
    const stored = storedOrder("A", 1, content([{ ...steak, ...cooked }]));
    const voided = content([{ ...steak, voidedQuantity: 1, total: 5 }]);
    const three = content([{ ...steak, quantity: 3, voidedQuantity: 1, total: 10 }]);
    const steps = [
      entry({ type: "ORDER_UPSERT", posReference: "A", base: content([steak]), next: voided }),
      entry({ type: "ORDER_UPSERT", posReference: "A", base: voided, next: three }),
    ];
    const shown = shownOrder("A", stored, steps)?.snapshot.lines[0];
    expect(shown).toMatchObject({ quantity: 3, sentQuantity: 2, sentVoidedQuantity: 1 });
    expect(missingQuantity(shown ?? steak)).toBe(1);
  });

  it("a sent line is shown as sent, and a paid check keeps its status [CLIENT-137]", () => {
    const both = addLine(before, beer);
    const stored = storedOrder("A", 1, both);
    const shown = (lineIds?: string[]) =>
      shownOrder("A", stored, [entry({ type: "ORDER_SEND", posReference: "A", lineIds })])?.snapshot;
    expect(shown()?.lines).toMatchObject([
      { id: "soup", sentQuantity: 1 },
      { id: "beer", sentQuantity: 1 },
    ]);
    expect(shown(["beer"])?.lines[0]).not.toHaveProperty("sentQuantity");
    expect(shown(["beer"])?.lines[1]).toMatchObject({ sentQuantity: 1, kitchenSentAt: expect.any(String) });
    const paid = { ...stored, snapshot: { ...stored.snapshot, status: "paid" as const } };
    const send = entry({ type: "ORDER_SEND", posReference: "A" });
    expect(shownOrder("A", paid, [send])?.snapshot).toMatchObject({
      status: "paid",
      lines: [{ sentQuantity: 1 }, {}],
    });
  });

  it("part payments are shown at once, each once, and the one that covers the check makes it paid [CLIENT-128]", () => {
    const both = addLine(before, beer);
    const tender = (tenderId: string, amount: number, seenVersion = 1) =>
      entry({ type: "ORDER_TENDER", posReference: "A", seen: both, seenVersion, tenderId, methodId: 1, amount });
    const stored = storedOrder("A", 1, both);
    const [first, second] = [tender("one", 5), tender("two", 3)];
    const part = shownOrder("A", stored, [first]);
    expect(part?.snapshot).toMatchObject({ status: "open", tenders: [{ tenderId: "one", amount: 5 }] });
    const paid = shownOrder("A", stored, [first, second])?.snapshot;
    expect(paid).toMatchObject({ status: "paid", payments: [{ amount: 5 }, { amount: 3 }] });
    const onHub = { ...both, tenders: part?.snapshot.tenders };
    expect(shownOrder("A", storedOrder("A", 2, onHub), [first])?.snapshot.tenders).toHaveLength(1);
    const voided = entry({ type: "ORDER_TENDER_VOID", posReference: "A", tenderId: "one", reason: "wrong table" });
    const back = shownOrder("A", storedOrder("A", 2, onHub), [voided, second])?.snapshot;
    expect(back).toMatchObject({
      status: "open",
      tenders: [{ voided: { reason: "wrong table" } }, { tenderId: "two" }],
    });
  });

  it("change is deducted from cash that exceeds the amount due, as on the hub [RULE-11]", () => {
    const menu: ReturnType<ReplayKnowledge["menu"]> = {
      products: [],
      taxes: [],
      rounding: "line",
      paymentMethods: [{ id: 1, type: "cash" }],
    };
    const seen = { seen: before, seenVersion: 1 };
    const stored = storedOrder("A", 1, before);
    const change = { methodId: 1, amount: 5, tendered: 20, change: 15 };
    const pay = entry({
      type: "ORDER_PAY",
      posReference: "A",
      ...seen,
      paymentId: "p",
      payments: [{ methodId: 1, amount: 20 }],
    });
    expect(shownOrder("A", stored, [pay], menu)?.snapshot).toMatchObject({ paymentId: "p", payments: [change] });
    const tender = entry({ type: "ORDER_TENDER", posReference: "A", ...seen, tenderId: "t", methodId: 1, amount: 20 });
    const snapshot = shownOrder("A", stored, [tender], menu)?.snapshot;
    expect(snapshot).toMatchObject({ status: "paid", tenders: [{ ...change, takenBy: "Ana" }] });
    expect(snapshot?.payments).toEqual([{ tenderId: "t", ...change }]);
  });

  it("content without totals is shown with computed totals [RULE-11]", () => {
    const lines = [
      line("soup", { total: 5 }),
      { id: "beer", productId: 7, quantity: 3, voidedQuantity: 1, unitPrice: 2 },
    ];
    const next = { orderType: "takeout" as const, lines, adjustments: [{ kind: "discount" as const, amount: -1 }] };
    const opened = entry({ type: "ORDER_UPSERT", posReference: "A", base: null, next });
    expect(shownOrder("A", undefined, [opened])?.snapshot.totals).toEqual({ subtotal: 9, tax: 0, total: 8 });
  });

  it("a merged check is not shown any more [CLIENT-125]", () => {
    const merge = entry({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "B", base: content([beer]), next: content([beer, soup]) },
        { posReference: "A", base: before, next: content([]) },
      ],
    });
    expect(shownOrder("A", storedOrder("A", 1, before), [merge])).toBeUndefined();
    const wine = addLine(before, line("wine"));
    expect(shownOrder("A", storedOrder("A", 2, wine), [merge])?.snapshot.lines).toMatchObject([{ id: "wine" }]);
    const opened = entry({ type: "ORDER_BATCH", orders: [{ posReference: "A", base: null, next: content([]) }] });
    expect(shownOrder("A", undefined, [opened])?.snapshot.lines).toEqual([]);
  });

  it("an edit of an order that the hub has not sent yet is shown, as after a reload without network [CLIENT-30]", () => {
    const edited = entry({ type: "ORDER_UPSERT", posReference: "A", base: before, next: addLine(before, beer) });
    expect(linesOf(shownOrder("A", undefined, [edited])?.snapshot ?? {})).toMatchObject([soup, beer]);
  });

  it("the view is the same before and after each answer, even while the hub has unanswered mutations [CLIENT-34]", () => {
    fc.assert(
      fc.property(anyContent, fc.array(anyContent, { minLength: 1, maxLength: 4 }), (start, contents) => {
        const states = [start, ...contents];
        const entries = contents.map((next, index) =>
          entry({ type: "ORDER_UPSERT", posReference: "A", base: states[index] ?? start, next }),
        );
        const last = states.at(-1) ?? start;
        for (const [done, state] of states.entries()) {
          const stored = storedOrder("A", done + 1, state);
          for (const answered of [done, Math.max(0, done - 1)]) {
            // The hub has only the sent mutations.
            const waiting = entries.map((each, index) => (index < done ? { ...each, message: messageOf(each) } : each));
            const shown = shownOrder("A", stored, waiting.slice(answered));
            expect(sameSet(shown?.snapshot ?? {}, last)).toBe(true);
            expect(shown?.snapshot.totals).toEqual(last.totals);
          }
        }
      }),
    );
  });
});

/** Returns the message of an edit, sent to a hub with the content that was shown before. */
function messageOf(edited: OutboxEntry): MutationMessage {
  const decision = decideMessage(edited, (posReference) =>
    storedOrder(posReference, 1, changesOf(edited.intent)[0]?.base ?? {}),
  );
  if ("refused" in decision) throw new Error(decision.refused.error);
  return decision.message;
}

/** Whether the contents are equal, ignoring the order of lines, the waiter and the check number. */
function sameSet(one: OrderContent, other: OrderContent): boolean {
  const comparable = (each: OrderContent) => ({
    ...each,
    staffName: undefined,
    checkNumber: undefined,
    lines: linesOf(each).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  });
  return sameContent(comparable(one), comparable(other));
}
