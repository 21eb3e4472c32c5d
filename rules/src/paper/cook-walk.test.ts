import type { KitchenTicket, OrderType, Snapshot, StoredLine, TerminalLine } from "@comanda/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";
import { pick } from "../../test/pick.ts";
import { slipsOf } from "../index.ts";
import { activeQuantity, voidOf } from "../kitchen/shares.ts";
import { subtract, sum } from "../money/amounts.ts";

const RUNS = 200;

const stations = [
  { id: "hot", name: "Caliente", categoryIds: [], productIds: [] },
  { id: "bar", name: "Bar", categoryIds: [], productIds: [2] },
];
const kinds = [
  "open",
  "add",
  "amount",
  "split",
  "part",
  "join",
  "merge",
  "gather",
  "swap",
  "table",
  "void",
  "unvoid",
  "drop",
  "reword",
  "discard",
  "wait",
] as const;
const step = fc.record({
  kinds: fc.uniqueArray(fc.constantFrom("table", "void", "unvoid", "reword", "amount"), { maxLength: 3 }),
  kind: fc.constantFrom(...kinds, "send" as const, "send" as const, "bump" as const),
  a: fc.nat(99),
  b: fc.nat(99),
  n: fc.integer({ min: 1, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Line = Partial<TerminalLine> & { id: string; quantity: number };
interface Content {
  orderType: OrderType;
  tableId: number | null;
  lines: Line[];
}

/** An evening at which a cook adds and subtracts what the slips say. */
function createEvening() {
  const restaurant = createRestaurant({ stations });
  const paper = new Map<string, number>();
  /** Dishes of which the cook marked some as ready: then only their sum is compared. */
  const marked = new Set<string>();
  /** Dishes of which some were voided: no slip says that they were made all the same, and are to be made again. */
  const voided = new Set<string>();
  let names = 0;
  const name = (): string => `n${(names += 1)}`;

  const contentOf = (posReference: string): Content => {
    const snapshot = restaurant.state.order(posReference)?.snapshot;
    const lines = (snapshot?.lines ?? []).map(({ total: _total, taxAmount: _tax, ...line }: StoredLine): Line => line);
    return { orderType: snapshot?.orderType ?? "dine_in", tableId: snapshot?.tableId ?? null, lines };
  };
  const write = (contents: Record<string, Content>) =>
    restaurant.change({
      type: "ORDER_BATCH",
      orders: Object.entries(contents).map(([posReference, content]) => ({
        posReference,
        baseVersion: restaurant.versionOf(posReference),
        additionalCheck: true,
        snapshot: { ...content, lines: content.lines as never },
      })),
    });
  const placeFor = (n: number): Pick<Content, "orderType" | "tableId"> =>
    n === 4 ? { orderType: "takeout", tableId: null } : { orderType: "dine_in", tableId: n };

  /** Changes one line of a check in one or several ways at once. */
  function edit(posReference: string, ways: readonly string[], { b, n }: Step) {
    const content = contentOf(posReference);
    const chosen = pick(content.lines, b);
    if (chosen === undefined) return;
    const line = { ...chosen };
    if (ways.includes("amount")) line.quantity = Math.max(n, line.voidedQuantity ?? 0);
    if (ways.includes("void")) line.voidedQuantity = Math.min(line.quantity, n);
    if (ways.includes("unvoid")) line.voidedQuantity = 0;
    if (ways.includes("reword")) line.note = name();
    if (ways.includes("table")) Object.assign(content, placeFor(n));
    write({ [posReference]: { ...content, lines: content.lines.map((each) => (each === chosen ? line : each)) } });
  }

  function act({ kind, kinds: ways, a, b, n, ...rest }: Step): unknown {
    const orders = restaurant.orders().map(({ posReference }) => posReference);
    const [one, other, third] = [pick(orders, a), pick(orders, b), pick(orders, a + 1)];
    const added = (): Line => ({ id: name(), quantity: n, productId: 1 + (b % 2), name: name(), unitPrice: 1 });
    if (kind === "open" || one === undefined) return write({ [name()]: { ...placeFor(n), lines: [added()] } });
    const content = contentOf(one);
    const line = pick(content.lines, b);
    switch (kind) {
      case "add":
        return write({ [one]: { ...content, lines: [...content.lines, added()] } });
      case "send":
        return restaurant.send(one);
      case "part":
      case "split": {
        if (line === undefined || line.quantity - (line.voidedQuantity ?? 0) <= 1) return null;
        const lines = content.lines.map((each) => (each === line ? { ...line, quantity: line.quantity - 1 } : each));
        const { voidedQuantity: _, ...same } = line;
        const part = { ...same, id: name(), quantity: 1, splitOf: line.id };
        if (kind === "part") return write({ [one]: { ...content, lines: [...lines, part] } });
        return write({ [one]: { ...content, lines }, [name()]: { ...placeFor(n), lines: [part] } });
      }
      case "join": {
        const same = [...Map.groupBy(content.lines, (each) => each["name"]).values()].find(({ length }) => length > 1);
        const [first, second] = same ?? [];
        if (first === undefined || second === undefined) return null;
        const joined = {
          ...first,
          quantity: sum([first.quantity, second.quantity]),
          voidedQuantity: sum([first.voidedQuantity ?? 0, second.voidedQuantity ?? 0]),
        };
        const lines = content.lines.filter((each) => each !== second).map((each) => (each === first ? joined : each));
        return write({ [one]: { ...content, lines } });
      }
      case "merge":
      case "gather": {
        const from = [...new Set(kind === "merge" ? [one] : [one, third ?? one])].filter((each) => each !== other);
        if (other === undefined || from.length === 0) return null;
        const into = contentOf(other);
        const lines = [into, ...from.map(contentOf)].flatMap((each) => each.lines);
        const moved = ways.includes("table") ? placeFor(n) : {};
        return write({
          [other]: { ...into, ...moved, lines },
          ...Object.fromEntries(from.map((each) => [each, { ...contentOf(each), lines: [] }])),
        });
      }
      case "swap": {
        if (other === undefined || other === one) return null;
        const theirs = contentOf(other);
        return write({
          [one]: { ...content, lines: [...content.lines.slice(1), ...theirs.lines.slice(0, 1)] },
          [other]: { ...theirs, lines: [...theirs.lines.slice(1), ...content.lines.slice(0, 1)] },
        });
      }
      case "drop":
        return write({ [one]: { ...content, lines: content.lines.filter((each) => each !== line) } });
      case "discard":
        return b % 4 === 0 ? restaurant.discard(one) : null;
      case "wait":
        return restaurant.advance(20_000 * n);
      case "bump": {
        const ticket = pick(restaurant.tickets(), a);
        const dish = pick(ticket?.lines ?? [], b);
        if (ticket === undefined || dish === undefined || n !== 4) return null;
        marked.add(dish.name);
        const isRecall = b % 3 === 0 && !voided.has(dish.name);
        return restaurant.bumpTicket(
          ticket.id,
          dish.lineId,
          isRecall ? 0 : Math.min(dish.quantity, dish.preparedQuantity + 1),
        );
      }
      case "amount":
      case "reword":
      case "table":
      case "void":
      case "unvoid":
        return edit(one, [kind, ...ways], { kind, kinds: ways, a, b, n, ...rest });
    }
  }

  function read(before: readonly KitchenTicket[]): void {
    const was = new Map(before.map((ticket) => [ticket.id, ticket]));
    for (const ticket of restaurant.tickets()) {
      for (const { name: dish, shares } of ticket.lines)
        if (shares.some((share) => voidOf(share) > 0)) voided.add(dish);
      const former = was.get(ticket.id) ?? null;
      if (former === ticket) continue;
      for (const { kind, dishes, from, to = ticket } of slipsOf(former, ticket, Date.parse(ticket.sentAt))) {
        for (const { line, quantity } of dishes) {
          if (from !== undefined) count(paper, ticket, from, line, -quantity);
          count(paper, ticket, to, line, kind === "void" ? -quantity : quantity);
        }
      }
    }
  }

  return {
    paper,
    take(each: Step): void {
      const before = restaurant.tickets();
      act(each);
      read(before);
    },
    /** What the checks say is to be made, and the bounds of dishes that the cook has marked. */
    wanted() {
      const exact = new Map<string, number>();
      const bounds = new Map<string, { least: number; most: number }>();
      for (const ticket of restaurant.tickets()) {
        for (const dish of ticket.lines) {
          const words = wordsOf(dish);
          const { least, most } = bounds.get(words) ?? { least: 0, most: 0 };
          const active = activeQuantity(dish);
          bounds.set(words, { least: sum([least, active, -dish.preparedQuantity]), most: sum([most, active]) });
          for (const share of dish.shares) {
            const order = restaurant.state.order(share.posReference);
            const line = order?.snapshot.lines.find(({ id }) => id === share.lineId);
            if (share.takenBack === true || order === null || line === undefined) continue;
            count(exact, ticket, order.snapshot, { ...line, name: String(line["name"]) }, activeQuantity(share));
          }
        }
      }
      return { exact, bounds, marked };
    },
  };
}

const wordsOf = ({ name, note }: { name: string; note?: string | null | undefined }) => `${name} ${note ?? ""}`.trim();

function count(
  counts: Map<string, number>,
  { stationId }: KitchenTicket,
  {
    orderType,
    tableId,
    ticketNumber,
    posReference,
  }: Pick<Snapshot, "orderType" | "posReference" | "tableId"> & {
    ticketNumber?: string | null | undefined;
  },
  line: Parameters<typeof wordsOf>[0],
  quantity: number,
): void {
  const place = orderType === "dine_in" ? `table ${tableId}` : (ticketNumber ?? posReference);
  const key = `${stationId} | ${place} | ${wordsOf(line)}`;
  const next = sum([counts.get(key) ?? 0, quantity]);
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}

it(`a cook who adds up the slips makes what the checks say (${RUNS} evenings) [PRINT-550, KIT-555]`, () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: "max" }), (walk) => {
      const evening = createEvening();
      for (const each of walk) {
        evening.take(each);
        const { exact, bounds, marked } = evening.wanted();
        const isExact = ([key]: [string, number]): boolean => !marked.has(key.split(" | ")[2]?.split(" ")[0] ?? "");
        expect(new Map([...evening.paper].filter(isExact))).toEqual(new Map([...exact].filter(isExact)));
        const totals = Map.groupBy(evening.paper, ([key]) => key.split(" | ")[2] ?? "");
        for (const [words, { least, most }] of bounds) {
          const onPaper = sum((totals.get(words) ?? []).map(([, quantity]) => quantity));
          expect(onPaper).toBeGreaterThanOrEqual(least);
          expect(subtract(most, onPaper)).toBeGreaterThanOrEqual(0);
        }
      }
    }),
    { numRuns: RUNS },
  );
});
