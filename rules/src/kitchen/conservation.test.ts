import type { KitchenTicket } from "@comanda/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Actor, createRestaurant } from "../../test/restaurant.ts";
import { pick } from "../../test/pick.ts";
import { subtract, sum } from "../money/amounts.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { addressOfShare } from "./dish-places.ts";
import { missingQuantity } from "./line-quantities.ts";

const RUNS = 2_000;

const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [] },
  { id: "bar", name: "Bar", categoryIds: [], productIds: [2], serving: true },
];
const crew: Actor[] = [{ terminalId: "one" }, { terminalId: "two" }, { terminalId: "till", mayVoid: true }];

const kinds = [
  "open",
  "add",
  "amount",
  "send",
  "sendAgain",
  "split",
  "part",
  "merge",
  "void",
  "unvoid",
  "drop",
  "exchange",
  "note",
] as const;
const kitchenKinds = ["bump", "bumpTicket", "seen", "serve", "discard", "wait"] as const;
const step = fc.record({
  kind: fc.constantFrom(...kinds, "send" as const, ...kitchenKinds),
  by: fc.constantFrom(...crew),
  a: fc.nat(99),
  b: fc.nat(99),
  n: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const otherProduct = <L extends { productId: number | string }>(line: L): L => ({
  ...line,
  productId: 3 - Number(line.productId),
});

/** An evening of random changes of checks; dish names are numbered. */
function createEvening() {
  const kitchen = createRestaurant({ stations });
  let names = 0;
  const name = (): string => `n${(names += 1)}`;
  const contentOf = (posReference: string) =>
    (kitchen.state.order(posReference)?.snapshot.lines ?? []).map(
      ({ id, quantity, productId = 1, voidedQuantity, splitOf }) => ({
        id,
        quantity,
        productId,
        ...(voidedQuantity !== undefined && { voidedQuantity }),
        ...(splitOf !== undefined && { splitOf }),
      }),
    );
  type Line = ReturnType<typeof contentOf>[number];

  function edit(posReference: string, at: number, by: Actor, change: (line: Line) => Line | null) {
    const lines = contentOf(posReference);
    const chosen = pick(lines, at);
    if (chosen === undefined) return null;
    const next = lines.flatMap((line) => (line === chosen ? (change({ ...line }) ?? []) : line));
    return next.length === 0 ? null : kitchen.write({ [posReference]: next }, by);
  }

  function act({ kind, by, a, b, n }: Step): unknown {
    const orders = kitchen.orders().map(({ posReference }) => posReference);
    const [one, other] = [pick(orders, a), pick(orders, b)];
    const ticket = pick(kitchen.tickets(), a);
    if (kind === "open" || one === undefined)
      return kitchen.write({ [name()]: [{ id: name(), quantity: n, productId: 1 }] }, by);
    switch (kind) {
      case "add":
        return kitchen.write({ [one]: [...contentOf(one), { id: name(), quantity: n, productId: 1 + (b % 2) }] }, by);
      case "amount":
        return edit(one, b, by, (line) => ({ ...line, quantity: Math.max(n, line.voidedQuantity ?? 0) }));
      case "void":
        return edit(one, b, by, (line) => ({ ...line, voidedQuantity: Math.min(line.quantity, n) }));
      case "unvoid":
        return edit(one, b, by, (line) => ({ ...line, voidedQuantity: 0 }));
      case "drop":
        return edit(one, b, by, () => null);
      case "exchange":
        return edit(one, b, by, otherProduct);
      case "part":
      case "split": {
        const line = pick(contentOf(one), b);
        if (line === undefined || chargedQuantity(line) <= 1) return null;
        const rest = contentOf(one).map((each) =>
          each.id === line.id ? { ...each, quantity: line.quantity - 1 } : each,
        );
        const same = { id: name(), quantity: 1, productId: line.productId, splitOf: line.id };
        const part = n === 4 ? otherProduct(same) : same;
        if (kind === "part") return kitchen.write({ [one]: [...rest, part] }, by);
        return kitchen.write({ [one]: rest, [name()]: [part] }, by);
      }
      case "merge":
        if (other === undefined || other === one) return null;
        return kitchen.write(
          {
            [one]: [],
            [other]: [...contentOf(other), ...(n === 4 ? contentOf(one).map(otherProduct) : contentOf(one))],
          },
          by,
        );
      case "note":
        return kitchen.patch(one, { notes: "ab".charAt(b % 3) });
      case "send":
      case "sendAgain":
        return kitchen.send(one, { by });
      case "bump":
        return kitchen.bump(one, pick(contentOf(one), b)?.id ?? "", n - 1);
      case "bumpTicket":
        return kitchen.bumpTicket(ticket?.id ?? "", pick(ticket?.lines ?? [], b)?.lineId ?? "", n - 1);
      case "seen":
        return kitchen.markSeen(ticket?.id ?? "");
      case "serve":
        return kitchen.serve(ticket?.id ?? "", {
          ...(b % 3 > 0 && { heldBy: pick(ticket?.lines.flatMap(({ shares }) => shares) ?? [], b)?.posReference }),
          ...(n === 4 && { undo: true }),
        });
      case "discard":
        return b % 4 === 0 ? kitchen.discard(one) : null;
      case "wait":
        return kitchen.advance(20_000 * n);
    }
  }
  return { kitchen, act };
}

/** Returns the sent quantities of a ticket by dish, which never change even if shares move or a part gets other words. */
const sentIn = ({ id, lines }: KitchenTicket) =>
  [...Map.groupBy(lines, ({ kitchenLineId }) => kitchenLineId)].map(
    ([dish, parts]) =>
      [`${id} ${dish}`, sum(parts.flatMap(({ shares }) => shares.map((share) => share.quantity)))] as const,
  );

it(`no change loses, doubles or exchanges a dish that was sent, or leaves an old note on its ticket (${RUNS} evenings) [RULE-22, KIT-484, KIT-540]`, () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const { kitchen, act } = createEvening();
      const sent = new Map<string, number>();
      for (const each of steps) {
        const before = JSON.stringify([kitchen.orders(), kitchen.tickets()]);
        const chosen = pick(kitchen.orders(), each.a);
        const refusal = act(each);
        if (refusal !== null && refusal !== undefined) {
          expect(JSON.stringify([kitchen.orders(), kitchen.tickets()])).toBe(before);
        }
        expectConserved(kitchen, sent);
        expectNotes(kitchen);
        if (each.kind === "send" && chosen !== undefined) expectNothingLeftToSend(kitchen, chosen.posReference);
      }
    }),
    { numRuns: RUNS },
  );
});

/** The open tickets show the notes of the checks that hold their dishes. */
function expectNotes({ tickets, state }: ReturnType<typeof createRestaurant>): void {
  for (const ticket of tickets().filter(({ isOver }) => !isOver)) {
    for (const share of ticket.lines.flatMap(({ shares }) => shares).filter(({ takenBack }) => takenBack !== true)) {
      const check = state.order(share.posReference);
      if (check !== null) expect(addressOfShare(ticket, share).notes).toBe(check.snapshot.notes || undefined);
    }
  }
}

function expectConserved(kitchen: ReturnType<typeof createRestaurant>, sent: Map<string, number>): void {
  for (const ticket of kitchen.tickets()) {
    for (const [key, quantity] of sentIn(ticket)) {
      if (!sent.has(key)) sent.set(key, quantity);
      expect(quantity).toBe(sent.get(key));
    }
    for (const share of ticket.lines.flatMap(({ shares }) => shares)) {
      const { quantity, preparedQuantity, cancelledQuantity, voidedQuantity = cancelledQuantity } = share;
      expect(Math.min(quantity, preparedQuantity, cancelledQuantity)).toBeGreaterThanOrEqual(0);
      expect(cancelledQuantity).toBe(Math.min(voidedQuantity, subtract(quantity, preparedQuantity)));
      expect(voidedQuantity).toBeLessThanOrEqual(quantity);
      // A served share is fully prepared.
      if (share.isServed === true)
        expect(preparedQuantity).toBeGreaterThanOrEqual(subtract(quantity, cancelledQuantity));
    }
  }
  for (const { snapshot } of kitchen.orders()) {
    for (const line of snapshot.lines) {
      const dishes = kitchen
        .ticketsOf(snapshot.posReference)
        .flatMap((ticket) =>
          ticket.lines.flatMap(({ productId, shares }) => shares.map((share) => ({ productId, share }))),
        )
        .filter(({ share: { posReference, lineId, takenBack } }) => {
          return posReference === snapshot.posReference && lineId === line.id && takenBack !== true;
        });
      const shares = dishes.map(({ share }) => share);
      // The kitchen makes what the check charges (KIT-484).
      for (const { productId } of dishes) expect(productId).toBe(line.productId);
      expect(line.sentQuantity ?? 0).toBe(sum(shares.map(({ quantity }) => quantity)));
      const active = subtract(sum(shares.map(({ quantity }) => quantity)), line.sentVoidedQuantity ?? 0);
      // No line holds more work than it asks for, and none that is charged is lost.
      expect(active).toBeLessThanOrEqual(chargedQuantity(line));
      expect(sum([active, missingQuantity(line)])).toBe(chargedQuantity(line));
    }
  }
}

function expectNothingLeftToSend(kitchen: ReturnType<typeof createRestaurant>, posReference: string): void {
  const count = kitchen.tickets().length;
  expect(kitchen.send(posReference)).toBeNull();
  expect(kitchen.tickets()).toHaveLength(count);
}
