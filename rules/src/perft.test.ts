import { expect, it } from "vitest";
import { type Actor, createRestaurant } from "../test/restaurant.ts";

const DEPTH = 5;

type Restaurant = ReturnType<typeof createRestaurant>;
type Move = (restaurant: Restaurant) => ReturnType<Restaurant["change"]>;

const waiter: Actor = { terminalId: "tablet" };
const cashier: Actor = { terminalId: "till", mayVoid: true };
const linesOf = (restaurant: Restaurant, posReference: string) =>
  (restaurant.state.order(posReference)?.snapshot.lines ?? []).map(
    ({ id, quantity, productId = 1, unitPrice = 0, voidedQuantity = 0 }) => {
      return { id, quantity, productId, unitPrice, ...(voidedQuantity > 0 && { voidedQuantity }) };
    },
  );
const edit =
  (posReference: string, change: (lines: ReturnType<typeof linesOf>) => ReturnType<typeof linesOf>): Move =>
  (restaurant) =>
    restaurant.write({ [posReference]: change(linesOf(restaurant, posReference)) }, waiter);
const dish = (id: string, productId: number) => ({ id, quantity: 2, productId, unitPrice: 100 });
const has = (lines: readonly { id: string }[], id: string): boolean => lines.some((line) => line.id === id);

/** Two checks, three dishes, two terminals, and every kind of change once or twice. */
const moves: Record<string, Move> = {
  steak: edit("A", (lines) =>
    has(lines, "steak") ? lines.filter(({ id }) => id !== "steak") : [...lines, dish("steak", 1)],
  ),
  soup: edit("A", (lines) => (has(lines, "soup") ? lines : [...lines, dish("soup", 2)])),
  juice: edit("B", (lines) => (has(lines, "juice") ? lines : [...lines, dish("juice", 3)])),
  "void one": (restaurant) => {
    const lines = linesOf(restaurant, "A").map((line) => (line.id === "steak" ? { ...line, voidedQuantity: 1 } : line));
    return restaurant.write({ A: lines }, cashier);
  },
  "void as waiter": edit("A", (lines) => lines.map((line) => ({ ...line, voidedQuantity: 1 }))),
  merge: (restaurant) =>
    restaurant.write({ B: [...linesOf(restaurant, "B"), ...linesOf(restaurant, "A")], A: [] }, waiter),
  "send A": (restaurant) => restaurant.send("A", { by: waiter }),
  "send B": (restaurant) => restaurant.send("B", { by: waiter }),
  bump: (restaurant) => restaurant.bump("A", "steak", 1),
  "check out": (restaurant) =>
    restaurant.change({ type: "ORDER_CHECKOUT", posReference: "A", baseVersion: restaurant.versionOf("A") }, cashier),
  discard: (restaurant) => restaurant.discard("A", waiter),
};

/** Counts the accepted changes per depth, and the rejected ones by code. */
function count(
  restaurant: Restaurant,
  depth: number,
  found: { taken: number; refused: Record<string, number> }[],
): void {
  const here = (found[DEPTH - depth] ??= { taken: 0, refused: {} });
  for (const move of Object.values(moves)) {
    const restore = restaurant.save();
    const refusal = move(restaurant);
    if (refusal === null) {
      here.taken += 1;
      if (depth > 1) count(restaurant, depth - 1, found);
    } else {
      here.refused[refusal.code] = (here.refused[refusal.code] ?? 0) + 1;
    }
    restore();
  }
}

it(`accepted and refused changes of two checks stay the same, up to ${DEPTH} in a row [RULE-23]`, () => {
  const found: { taken: number; refused: Record<string, number> }[] = [];
  count(createRestaurant(), DEPTH, found);
  expect(found).toMatchInlineSnapshot(`
    [
      {
        "refused": {
          "NO_ORDER": 5,
        },
        "taken": 6,
      },
      {
        "refused": {
          "NEVER_SENT": 1,
          "NO_LINE": 4,
          "NO_ORDER": 8,
        },
        "taken": 53,
      },
      {
        "refused": {
          "DISCARD_NEEDS_CASHIER": 2,
          "LOCKED": 35,
          "NEVER_SENT": 10,
          "NO_LINE": 40,
          "NO_ORDER": 57,
          "VOID_NEEDS_CASHIER": 2,
          "WAS_REMOVED": 35,
        },
        "taken": 402,
      },
      {
        "refused": {
          "DISCARD_NEEDS_CASHIER": 31,
          "LOCKED": 346,
          "NEVER_SENT": 80,
          "NO_LINE": 302,
          "NO_ORDER": 355,
          "SENT_LINE_REMOVED": 1,
          "VOID_NEEDS_CASHIER": 23,
          "WAS_REMOVED": 330,
        },
        "taken": 2954,
      },
      {
        "refused": {
          "DISCARD_NEEDS_CASHIER": 333,
          "LOCKED": 2814,
          "NEVER_SENT": 604,
          "NO_LINE": 2165,
          "NO_ORDER": 2298,
          "SENT_LINE_REMOVED": 18,
          "VOID_NEEDS_CASHIER": 215,
          "WAS_REMOVED": 2620,
        },
        "taken": 21427,
      },
    ]
  `);
});
