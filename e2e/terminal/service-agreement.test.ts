// @module-tag long
import { addLine, changeQuantity, TerminalRefusal, type Mutation, type Terminal } from "@comanda/terminal";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fastTimerWorld } from "../support/fast-timer-world.ts";
import { lineOf } from "../support/orders.ts";
import { online } from "../support/restaurant.ts";
import { useRestaurant } from "../support/use-restaurant.ts";

const { restaurant, fresh, startTerminal, wireToHub } = useRestaurant({});

const check = fc.nat(2);
const line = fc.nat(3);
const quantity = fc.integer({ min: 1, max: 3 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add" as const), check, quantity }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), check, line, quantity }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("void" as const), check, line, quantity }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("send" as const), check }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("send one" as const), check, line }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("move" as const), check, line, quantity }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("merge" as const), check }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("note" as const), check, notes: fc.constantFrom("", "a", "b") }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("reword" as const), check, line, note: fc.constantFrom("c", "d") }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("bump" as const), check, line, quantity: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("bump ticket" as const), line, quantity: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("see" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("serve" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("take back" as const), check, line }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("check out" as const), check }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("reopen" as const), check }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("tender" as const), check }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pay" as const), check: fc.constant(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("discard" as const), check: fc.constant(2) }) },
);
/** The start of each evening: two checks with dishes, one of them sent to the kitchen. */
const openingSteps: Step[] = [
  { kind: "add", check: 0, quantity: 2 },
  { kind: "add", check: 0, quantity: 1 },
  { kind: "add", check: 1, quantity: 3 },
  { kind: "send", check: 0 },
];
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Creates three checks of one party, and a person's actions on them at a terminal. */
function party(terminal: Terminal) {
  const names = [0, 1, 2].map(() => fresh("POS/SA"));
  let lines = 0;
  const nameOf = (at: number): string => names[at] ?? "";
  const lineAt = (at: number, index: number) => terminal.order(nameOf(at))?.snapshot.lines[index];

  return {
    /** Returns the checks, and the hub's tickets of them. */
    shown: () => ({
      checks: names.map((name) => plain(terminal.order(name)?.snapshot)),
      tickets: [...terminal.tickets(), ...terminal.recentTickets()].filter(({ posReference }) => {
        return names.includes(posReference);
      }),
    }),
    /** Pays or discards all checks. */
    async end(): Promise<void> {
      for (const name of names) {
        const { status = "closed", totals = { total: 0 } } = terminal.order(name)?.snapshot ?? {};
        if (status === "checkout") terminal.reopen(name);
        if (status === "paid" || status === "closed") continue;
        attempt(() => terminal.pay(name, { payments: [{ methodId: 1, amount: totals.total }] }));
        attempt(() => terminal.discardOrder(name));
      }
      await terminal.idle();
    },
    /** Carries out a step; returns null if there is nothing to apply it to. */
    act(each: Step): Mutation | null {
      const name = "check" in each ? nameOf(each.check) : "";
      const present = terminal.order(name);
      const [ticket] = terminal.tickets().filter(({ posReference }) => names.includes(posReference));
      if (each.kind === "add" && present === undefined) {
        const content = { orderType: "takeout" as const, tableId: null, guestCount: 1 };
        return terminal.openOrder({ posReference: name, ...addLine(content, newLine(each.quantity)) });
      }
      if ("check" in each && present === undefined) return null;
      switch (each.kind) {
        case "add":
          return terminal.editOrder(name, (content) => addLine(content, newLine(each.quantity)));
        case "note":
          return terminal.editOrder(name, (content) => ({ ...content, notes: each.notes }));
        case "reword":
          return withLine(each, (id) =>
            terminal.editOrder(name, ({ lines: stored = [], ...content }) => ({
              ...content,
              lines: stored.map((own) => (own.id === id ? { ...own, note: each.note } : own)),
            })),
          );
        case "change":
          return withLine(each, (id) =>
            terminal.editOrder(name, (content) => changeQuantity(content, id, each.quantity)),
          );
        case "void":
          return withLine(each, (id) => terminal.voidLine(name, id, { quantity: each.quantity, reason: "cold" }));
        case "send":
          return terminal.sendToKitchen(name);
        case "send one":
          return withLine(each, (id) => terminal.sendToKitchen(name, [id]));
        case "move": {
          const into = nameOf((each.check + 1) % 3);
          return withLine(each, (id) => terminal.moveLines(name, into, [{ lineId: id, quantity: each.quantity }]));
        }
        case "merge": {
          const from = nameOf((each.check + 1) % 3);
          return terminal.order(from) === undefined ? null : terminal.mergeOrders([from], name);
        }
        case "bump":
          return withLine(each, (id) => terminal.bump(name, id, each.quantity));
        case "bump ticket": {
          const lineId = ticket?.lines[each.line]?.lineId;
          if (ticket === undefined || lineId === undefined) return null;
          return terminal.bump({ kitchenTicketId: ticket.id }, lineId, each.quantity);
        }
        case "see":
          return ticket === undefined ? null : terminal.kitchenSeen(ticket.id, "grill");
        case "serve":
          return ticket === undefined ? null : terminal.served(ticket.id);
        case "take back":
          return withLine(each, (lineId) => terminal.takeBack(name, [{ lineId, quantity: 0 }]));
        case "check out":
          return terminal.checkOut(name);
        case "reopen":
          return terminal.reopen(name);
        case "tender":
          return terminal.tender(name, { methodId: 1, amount: 5 });
        case "pay":
          return terminal.pay(name, { payments: [{ methodId: 1, amount: present?.snapshot.totals.total ?? 0 }] });
        case "discard":
          return terminal.discardOrder(name);
      }
    },
  };

  function newLine(count: number) {
    lines += 1;
    return lineOf(`line-${lines}`, count * 10, { quantity: count, unitPrice: 10, productId: String((lines % 2) + 1) });
  }

  function withLine<T>(at: { check: number; line: number }, act: (lineId: string) => T): T | null {
    const id = lineAt(at.check, at.line)?.id;
    return id === undefined ? null : act(id);
  }
}

/** Fields that only the hub knows: times, people, numbers. */
const hubs: ReadonlySet<string> = new Set([
  "createdAt",
  "updatedAt",
  "paidAt",
  "paidBy",
  "takenAt",
  "takenBy",
  "voidedBy",
  "terminalId",
  "fiscal",
  "ticketNumber",
  "kitchenSentAt",
  "kitchenTicketId",
  "kitchenLineId",
  "queuedAt",
  "readyAt",
  "at",
]);

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, each: unknown) => {
      // The back-office has received the order in between.
      if (key === "status" && each === "closed") return "paid";
      return hubs.has(key) ? undefined : each;
    }),
  );
}

type Shown = ReturnType<ReturnType<typeof party>["shown"]>;

/** Checks that the terminal showed what the hub has. Tickets that the hub has created since are ignored. */
function expectAgreement(before: Shown, after: Shown): void {
  expect(after.checks).toEqual(before.checks);
  const now = new Map(after.tickets.map((ticket) => [ticket.id, ticket]));
  expect(before.tickets.map(({ id }) => plain(now.get(id)))).toEqual(before.tickets.map(plain));
}

const seen = { carriedOut: 0, refused: 0 };

/** Carries out a step; returns null if the terminal refuses it in the check's present state. */
function attempt(act: () => Mutation | null): Mutation | null {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof TerminalRefusal)) throw error;
    seen.refused += 1;
    return null;
  }
}

const numRuns = 40;

it(`a terminal shows every action as the hub then stores it, and sends none that it refuses (${numRuns} evenings) [RULE-25, RULE-26]`, async () => {
  const terminal = await startTerminal({ httpUrl: restaurant().hubUrl });
  await terminal.loadMenu();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30, size: "max" }), async (steps) => {
      const evening = party(terminal);
      for (const each of [...openingSteps, ...steps]) {
        const mutation = attempt(() => evening.act(each));
        if (mutation === null) continue;
        const shown = evening.shown();
        await mutation.outcome;
        await terminal.idle();
        expect(terminal.conflicts()).toEqual([]);
        expectAgreement(shown, evening.shown());
        seen.carriedOut += 1;
      }
      await evening.end();
    }),
    { numRuns },
  );
  expect(Math.min(seen.carriedOut / 4, seen.refused)).toBeGreaterThan(numRuns);
});

it(`a terminal shows offline actions as the hub stores them after the reconnect (${numRuns} evenings) [RULE-25]`, async () => {
  const wire = await wireToHub();
  const terminal = await startTerminal({ httpUrl: restaurant().hubUrl, url: wire.url, world: fastTimerWorld() });
  await terminal.loadMenu();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 6, maxLength: 12, size: "max" }),
      fc.array(step, { minLength: 4, maxLength: 12, size: "max" }),
      async (first, later) => {
        const evening = party(terminal);
        for (const each of [...openingSteps, ...first]) attempt(() => evening.act(each));
        await terminal.idle();
        wire.fromTerminal = () => "cut";
        wire.cut();
        for (const each of later) attempt(() => evening.act(each));
        const shown = evening.shown();
        wire.fromTerminal = () => "pass";
        await online(terminal);
        await terminal.idle();
        expect(terminal.conflicts()).toEqual([]);
        expectAgreement(shown, evening.shown());
        await evening.end();
      },
    ),
    { numRuns },
  );
});
