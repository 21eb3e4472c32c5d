import type { KitchenTicket } from "@comanda/protocol";
import { describe, expect, it } from "vitest";
import { createHouse } from "../../test/house.ts";
import { slipsOf } from "../index.ts";

const NOW = Date.parse("2026-11-25T20:00:00Z");
const ten = { unitPrice: 10, total: 10 };

/** A restaurant with a check of two soups and a steak, all sent. */
function sentHouse() {
  const house = createHouse();
  house.write({
    A: [
      { id: "soup", quantity: 2, ...ten },
      { id: "steak", ...ten },
    ],
  });
  house.send("A");
  return house;
}

type House = ReturnType<typeof createHouse>;

/** Returns the slips that a change causes, abbreviated. */
function told(house: House, change: (house: House) => unknown, now = NOW) {
  const before = new Map(house.tickets().map((ticket) => [ticket.id, ticket]));
  change(house);
  return house.tickets().flatMap((ticket) => {
    const was = before.get(ticket.id) ?? null;
    return ticket === was ? [] : slipsOf(was, ticket, now).map(short);
  });
}

function short({ kind, dishes, from, to }: ReturnType<typeof slipsOf>[number]) {
  const what = dishes.map(({ line, quantity }) => `${quantity} ${line.name}`);
  const places = [from, to].flatMap((place) => (place?.tableId == null ? [] : [`${place.tableId}`]));
  return [kind, places.join(" > "), ...what].filter((word) => word !== "").join(": ");
}

const seated = (tableId: number, lines: Record<string, unknown>[]) => ({
  orderType: "dine_in" as const,
  tableId,
  lines: lines.map((line) => ({ quantity: 1, name: line["id"], ...ten, ...line })) as never,
});

function seatedHouse(quantity = 1) {
  const house = createHouse();
  const snapshot = seated(5, [{ id: "soup", quantity }]);
  house.change({ type: "ORDER_UPSERT", posReference: "A", baseVersion: 0, snapshot });
  house.send("A");
  return house;
}

const move = (house: House, tableId: number) =>
  house.change({
    type: "ORDER_UPSERT",
    posReference: "A",
    baseVersion: house.versionOf("A"),
    snapshot: seated(tableId, [{ id: "soup" }]),
  });

describe("what a station is told of a change", () => {
  it("each send is a slip of what was sent [PRINT-110]", () => {
    const house = createHouse();
    house.write({ A: [{ id: "soup", quantity: 2, ...ten }] });
    expect(told(house, () => house.send("A"))).toEqual(["new: 2 soup"]);
    house.write({ A: [{ id: "soup", quantity: 3, ...ten }] });
    expect(told(house, () => house.send("A"))).toEqual(["new: 1 soup"]);
    expect(told(house, () => house.send("A"))).toEqual([]);
  });

  it("a void, part of one, what is taken back and a discard are slips with their quantities [PRINT-111]", () => {
    const house = sentHouse();
    const part = { id: "soup", quantity: 2, voidedQuantity: 1, voidReason: "frío", ...ten };
    expect(told(house, () => house.write({ A: [part, { id: "steak", ...ten }] }))).toEqual(["void: 1 soup"]);
    const taken = { terminalId: "tablet" };
    expect(told(house, () => house.write({ A: [part] }, taken))).toEqual(["void: 1 steak"]);
    expect(told(house, () => house.discard("A"))).toEqual(["void: 1 soup"]);
  });

  it("what is not to be made, or is after all, says for which table [PRINT-111]", () => {
    const house = seatedHouse(3);
    house.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: house.versionOf("A"), snapshot: seated(5, [{ id: "soup", quantity: 2 }]) },
        { posReference: "B", baseVersion: 0, snapshot: seated(8, [{ id: "bowl", splitOf: "soup" }]) },
      ],
    });
    const write = (posReference: string, tableId: number, line: Record<string, unknown>) => () =>
      house.change({
        type: "ORDER_UPSERT",
        posReference,
        baseVersion: house.versionOf(posReference),
        snapshot: seated(tableId, [line]),
      });
    const voided = { id: "bowl", splitOf: "soup", voided: true, voidReason: "frío" };
    expect(told(house, write("B", 8, voided))).toEqual(["void: 8: 1 soup"]);
    expect(told(house, write("B", 8, { ...voided, voided: false }))).toEqual(["addition: 8: 1 soup"]);
    const one = { id: "soup", quantity: 2, voidedQuantity: 1, voidReason: "frío" };
    expect(told(house, write("A", 5, one))).toEqual(["void: 5: 1 soup"]);
    expect(told(house, () => house.discard("B"))).toEqual(["void: 8: 1 soup"]);
  });

  it("what is not to be made says which of two checks at a table held it [PRINT-111]", () => {
    const house = seatedHouse(2);
    house.change({
      type: "ORDER_BATCH",
      orders: [
        { posReference: "A", baseVersion: house.versionOf("A"), snapshot: seated(5, [{ id: "soup" }]) },
        { posReference: "B", baseVersion: 0, snapshot: seated(5, [{ id: "bowl", splitOf: "soup" }]) },
      ],
    });
    const [before] = house.tickets();
    house.discard("B");
    const slips = house.tickets().flatMap((after) => slipsOf(before ?? null, after, NOW));
    expect(slips).toMatchObject([{ kind: "void", dishes: [{ quantity: 1 }], to: { posReference: "B" } }]);
  });

  it("what was voided by mistake is asked for again [PRINT-111]", () => {
    const house = sentHouse();
    const voided = { id: "soup", quantity: 2, voided: true, voidReason: "frío", ...ten };
    house.write({ A: [voided, { id: "steak", ...ten }] });
    const undo = () =>
      house.write({
        A: [
          { id: "soup", quantity: 2, ...ten },
          { id: "steak", ...ten },
        ],
      });
    expect(told(house, undo)).toEqual(["addition: 2 soup"]);
  });

  it("marks of the kitchen's own are no news to it [PRINT-111]", () => {
    const house = sentHouse();
    const [ticket] = house.tickets();
    expect(told(house, () => house.seen(ticket?.id ?? ""))).toEqual([]);
    expect(told(house, () => house.bump("A", "soup", 1))).toEqual([]);
    expect(told(house, () => house.bump("A", "soup", 0))).toEqual([]);
    // One of two cancelled soups turns out to be ready.
    house.write({
      A: [
        { id: "soup", quantity: 2, voided: true, voidReason: "x", ...ten },
        { id: "steak", ...ten },
      ],
    });
    expect(told(house, () => house.bump("A", "soup", 1))).toEqual([]);
  });

  it("a check that moves is a slip with both tables until its dishes are over [PRINT-112]", () => {
    const house = seatedHouse();
    expect(told(house, () => move(house, 8))).toEqual(["move: 5 > 8: 1 soup"]);
    house.bump("A", "soup", 1);
    expect(told(house, () => move(house, 5))).toEqual([]);
  });

  it("a dish that goes to a check at another table is a slip of that dish [PRINT-112]", () => {
    const house = seatedHouse();
    const batch = () =>
      house.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "A", baseVersion: house.versionOf("A"), snapshot: seated(5, [{ id: "water" }]) },
          { posReference: "B", baseVersion: 0, snapshot: seated(8, [{ id: "soup" }]) },
        ],
      });
    expect(told(house, batch)).toEqual(["move: 5 > 8: 1 soup"]);
    const back = () =>
      house.change({
        type: "ORDER_BATCH",
        orders: [
          { posReference: "B", baseVersion: house.versionOf("B"), snapshot: seated(8, []) },
          { posReference: "C", baseVersion: 0, snapshot: { ...seated(8, [{ id: "soup" }]), additionalCheck: true } },
        ],
      });
    expect(told(house, back)).toEqual([]);
  });

  it("what lies on paper moves with its check while it may be on the fire [PRINT-112]", () => {
    const house = seatedHouse();
    house.paper(house.tickets()[0]?.id ?? "");
    expect(told(house, () => move(house, 8))).toEqual(["move: 5 > 8: 1 soup"]);
    house.later(61 * 60_000);
    expect(told(house, () => move(house, 5), NOW + 61 * 60_000)).toEqual([]);
  });
});

describe("a station where nobody marks dishes", () => {
  it("is done with a ticket whose slip came out, which is neither ready nor served [PRINT-120]", () => {
    const house = sentHouse();
    const id = house.tickets()[0]?.id ?? "";
    house.paper(id);
    const [ticket] = house.tickets() as [KitchenTicket];
    expect(ticket).toMatchObject({ onPaper: true, isOver: true, readyAt: null });
    expect(ticket.lines.map(({ state }) => state)).toEqual(["unseen", "unseen"]);
    expect(house.line("A", "soup")).toMatchObject({ kitchenItemStatus: "on_paper", sentQuantity: 2 });
    expect(house.ticketsOf("A")).toHaveLength(1);
  });

  it("takes an addition as one that is not on paper yet [PRINT-120]", () => {
    const house = sentHouse();
    house.paper(house.tickets()[0]?.id ?? "");
    house.write({
      A: [
        { id: "soup", quantity: 3, ...ten },
        { id: "steak", ...ten },
      ],
    });
    house.send("A");
    expect(house.line("A", "soup")?.kitchenItemStatus).toBe("pending");
    house.paper(house.tickets()[1]?.id ?? "");
    expect(house.line("A", "soup")?.kitchenItemStatus).toBe("on_paper");
  });

  it("does not get a ticket back for what is voided of it, and may be told to take it back [PRINT-121]", () => {
    const house = sentHouse();
    house.paper(house.tickets()[0]?.id ?? "");
    const voids = () => house.write({ A: [{ id: "soup", quantity: 2, ...ten }] }, { terminalId: "tablet" });
    expect(told(house, voids)).toEqual(["void: 1 steak"]);
    expect(house.tickets()[0]).toMatchObject({ onPaper: true, isOver: true });
    house.discard("A");
    expect(house.tickets()[0]).toMatchObject({ onPaper: true, isOver: true });
  });

  it("leaves what is over as it is [PRINT-120]", () => {
    const house = sentHouse();
    const id = house.tickets()[0]?.id ?? "";
    house.bump("A", "soup", 2);
    house.bump("A", "steak", 1);
    house.paper(id);
    expect(house.tickets()[0]?.onPaper).toBeUndefined();
  });
});
