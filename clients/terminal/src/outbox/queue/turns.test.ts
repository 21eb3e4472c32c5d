import { describe, expect, it } from "vitest";
import { content, entry } from "../../../test/builders.ts";
import type { Intent } from "../entries/outbox-entry.ts";
import { turnsOf } from "./turns.ts";

const open: Intent = { type: "TILL_OPEN", tillId: "bar", shiftId: "s", float: 100 };
const move: Intent = { type: "TILL_MOVE", shiftId: "s", kind: "drop", amount: 50, reason: "banco" };
const count: Intent = { type: "TILL_COUNT", shiftId: "s", counted: [] };
const send: Intent = { type: "ORDER_SEND", posReference: "B" };
const pay: Intent = { type: "ORDER_PAY", posReference: "A", payments: [], seen: content([]), seenVersion: 1 };

/** Returns the types of the intents that may be sent now. Those with `isRefused` wait for a person. */
function firstOf(intents: Intent[], isRefused: (intent: Intent) => boolean = () => false): string[] {
  const slots = intents.map((intent) => ({ entry: entry(intent) }));
  const turns = turnsOf(
    slots,
    () => [],
    ({ entry: { intent } }) => isRefused(intent),
  );
  return [...turns].flatMap(({ slot, isFirst }) => (isFirst ? [slot.entry.intent.type] : []));
}

describe("till mutations", () => {
  it("till mutations are sent in order with the device's payments, and nothing else waits for them [TILL-40]", () => {
    expect(firstOf([open, pay, move, send])).toEqual(["TILL_OPEN", "ORDER_SEND"]);
    expect(firstOf([pay, count, send])).toEqual(["ORDER_PAY", "ORDER_SEND"]);
    expect(firstOf([move, count])).toEqual(["TILL_MOVE"]);
  });

  it("a till mutation that needs a decision holds up no payment and no later step [TILL-40]", () => {
    expect(firstOf([count, pay], (intent) => intent === count)).toEqual(["TILL_COUNT", "ORDER_PAY"]);
    expect(firstOf([count, move], (intent) => intent === count)).toEqual(["TILL_COUNT", "TILL_MOVE"]);
    expect(firstOf([pay, count], (intent) => intent === pay)).toEqual(["ORDER_PAY", "TILL_COUNT"]);
  });
});
