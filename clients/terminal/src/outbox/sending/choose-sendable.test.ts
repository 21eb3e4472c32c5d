import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { content, entry } from "../../../test/builders.ts";
import { chooseSendable } from "./choose-sendable.ts";
import { ordersOf, type OutboxEntry } from "../entries/outbox-entry.ts";
import { turnsOf } from "../queue/turns.ts";

const anyQueues = fc.uniqueArray(fc.constantFrom("A", "B", "C", "D"), { minLength: 1, maxLength: 3 });
const anyOutbox = fc.array(fc.tuple(anyQueues, fc.boolean()), { maxLength: 20 });

describe("chooseSendable", () => {
  it("the first unblocked mutation of every order is sendable, and none behind another [CLIENT-33]", () => {
    fc.assert(
      fc.property(anyOutbox, fc.integer({ min: 0, max: 5 }), (drawn, most) => {
        const slots = drawn.map(([queues, isBlocked]) => ({ entry: mutationOf(queues), isBlocked }));
        const chosen = chooseSendable(
          turnsOf(
            slots,
            () => [],
            () => false,
          ),
          ({ isBlocked }) => isBlocked,
          most,
        );
        const free = slots.filter((each, index) => isFirst(each, slots.slice(0, index)) && !each.isBlocked);
        expect(chosen).toEqual(free.slice(0, most));
      }),
    );
  });
});

type Queued = { entry: OutboxEntry };

function isFirst({ entry: { intent } }: Queued, before: Queued[]): boolean {
  const queues = new Set(ordersOf(intent));
  return before.every((other) => ordersOf(other.entry.intent).every((queue) => !queues.has(queue)));
}

function mutationOf(queues: string[]): OutboxEntry {
  const [posReference = "A", ...others] = queues;
  if (others.length === 0) return entry({ type: "ORDER_SEND", posReference });
  return entry({
    type: "ORDER_BATCH",
    orders: queues.map((queue) => ({ posReference: queue, base: null, next: content([]) })),
  });
}
