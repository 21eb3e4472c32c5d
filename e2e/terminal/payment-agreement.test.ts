import type { Payment, Snapshot } from "@comanda/protocol";
import { TerminalRefusal, type Mutation, type Terminal } from "@comanda/terminal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { lineOf } from "../support/orders.ts";
import { online } from "../support/restaurant.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { restaurant, fresh, startTerminal } = useRestaurant({});

const amount = fc.integer({ min: 1, max: 60_000 }).map((cents) => cents / 100);
const payment = fc.record(
  { methodId: fc.constantFrom(1, 2), amount, tendered: amount, tip: fc.constantFrom(1, 50) },
  { requiredKeys: ["methodId", "amount"] },
);
const step = fc.oneof(
  fc.record({ kind: fc.constant("tender" as const), payment, more: fc.constantFrom(0, 0, 200) }),
  fc.record({ kind: fc.constant("pay" as const), payments: fc.array(payment, { maxLength: 2 }), exact: fc.boolean() }),
  fc.record({ kind: fc.constant("take back" as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant("edit" as const), total: amount }),
  fc.record({ kind: fc.constant("discard" as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Removes what only the hub knows: times, people, terminals and the fiscal data. */
function shared(snapshot: Snapshot | undefined) {
  if (snapshot === undefined) return null;
  const {
    updatedAt: _,
    createdAt: __,
    paidAt: ___,
    paidBy: ____,
    fiscal: _____,
    ...known
  } = snapshot as Snapshot & {
    paidAt?: unknown;
    paidBy?: unknown;
  };
  const tenders = known.tenders?.map(({ takenAt: _at, takenBy: _by, terminalId: _terminal, voided, ...tender }) => ({
    ...tender,
    reason: voided?.reason,
  }));
  // The back-office may have received the check in between.
  return { ...known, status: known.status === "closed" ? "paid" : known.status, tenders };
}

function carryOut(terminal: Terminal, posReference: string, each: Step): Mutation | null {
  const { tenders = [], totals } = terminal.order(posReference)!.snapshot;
  switch (each.kind) {
    case "tender":
      return terminal.tender(posReference, { ...each.payment, ...complete(each.payment, each.more) });
    case "pay": {
      const payments: Payment[] = each.exact ? [{ methodId: 1, amount: totals.total }] : each.payments;
      return terminal.pay(posReference, { payments });
    }
    case "take back": {
      const tender = tenders[each.which];
      return tender === undefined ? null : terminal.voidTender(tender.tenderId, "wrong table");
    }
    case "edit":
      return terminal.editOrder(posReference, (content) => ({ ...content, ...contentOf(each.total) }));
    case "discard":
      return terminal.discardOrder(posReference);
  }
}

/** Sets `tendered` of cash to the amount plus `more`, so that more payments are valid than by chance. */
function complete({ tendered, amount: paid }: Payment, more: number): Partial<Payment> {
  return tendered === undefined || more === 0 ? {} : { tendered: paid + more };
}

const contentOf = (total: number) => ({
  orderType: "takeout" as const,
  tableId: null,
  guestCount: 1,
  lines: [lineOf("dinner", total)],
  totals: { subtotal: total, tax: 0, total },
});

const numRuns = 60;
it(`a terminal shows every payment as the hub then stores it, and sends none that it refuses (${numRuns} checks) [RULE-11]`, async () => {
  const terminal = await startTerminal({ httpUrl: restaurant().hubUrl });
  await online(terminal);
  await terminal.loadMenu();
  const seen = { carriedOut: 0, refused: 0, paid: 0 };
  await fc.assert(
    fc.asyncProperty(amount, fc.array(step, { minLength: 1, maxLength: 6 }), async (total, steps) => {
      const posReference = fresh("POS/AG");
      await terminal.openOrder({ posReference, ...contentOf(total) }).outcome;
      await terminal.idle();
      for (const each of steps) {
        if (terminal.order(posReference) === undefined) return;
        try {
          const mutation = carryOut(terminal, posReference, each);
          if (mutation === null) continue;
          const shown = shared(terminal.order(posReference)?.snapshot);
          expect(await mutation.outcome).toMatchObject({ state: "acknowledged" });
          await terminal.idle();
          expect(shared(terminal.order(posReference)?.snapshot)).toEqual(shown);
          seen.carriedOut += 1;
          if (shown?.status === "paid") seen.paid += 1;
        } catch (error) {
          if (!(error instanceof TerminalRefusal)) throw error;
          seen.refused += 1;
        }
      }
    }),
    { numRuns },
  );
  expect(terminal.conflicts()).toEqual([]);
  expect(Math.min(seen.carriedOut, seen.refused, seen.paid)).toBeGreaterThan(5);
});
