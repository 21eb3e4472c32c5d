import { describe, expect, it } from "vitest";
import { createRestaurant } from "../../test/restaurant.ts";

const quantities = ({ quantity, preparedQuantity, cancelledQuantity }: Record<string, unknown>) => [
  quantity,
  preparedQuantity,
  cancelledQuantity,
];

/** Returns quantity, prepared and cancelled of the lines of every ticket of a check. */
function work(kitchen: ReturnType<typeof createRestaurant>, posReference = "A") {
  return kitchen.ticketsOf(posReference).map(({ lines }) => lines.map(quantities));
}

describe("a dish voided after it was cooked", () => {
  /** Two prepared steaks, one of them voided. */
  function returned() {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", quantity: 2 }] });
    kitchen.send("A");
    kitchen.bump("A", "steak", 2);
    kitchen.write({ A: [{ id: "steak", quantity: 2, voidedQuantity: 1 }] });
    return kitchen;
  }

  it("a dish voided after it was cooked does not replace another one of its line, which is cooked [KIT-130]", () => {
    const kitchen = returned();
    expect(kitchen.status("A")).toBe("sent");
    kitchen.write({ A: [{ id: "steak", quantity: 3, voidedQuantity: 1 }] });
    expect(kitchen.status("A")).toBe("changed");
    expect(kitchen.send("A")).toBeNull();
    expect(work(kitchen)).toEqual([[[2, 2, 0]], [[1, 0, 0]]]);
    expect(kitchen.line("A", "steak")).toMatchObject({ sentQuantity: 3, sentVoidedQuantity: 1, preparedQuantity: 2 });
  });

  it("a dish voided after it was cooked replaces none of another line, and moves with its own line [KIT-130]", () => {
    const kitchen = returned();
    kitchen.write({
      A: [
        { id: "steak", quantity: 2, voidedQuantity: 1 },
        { id: "more", quantity: 1, splitOf: "steak" },
      ],
    });
    expect(kitchen.line("A", "more")?.sentQuantity).toBeUndefined();
    kitchen.write({ A: [{ id: "more", quantity: 1 }], B: [{ id: "steak", quantity: 2, voidedQuantity: 1 }] });
    expect(kitchen.line("B", "steak")).toMatchObject({ sentQuantity: 2, sentVoidedQuantity: 1, preparedQuantity: 2 });
    expect(kitchen.status("A")).toBe("open");
  });

  it("a dish voided after it was cooked counts again when its void is undone, and is not cooked again [KIT-130]", () => {
    const kitchen = returned();
    kitchen.write({ A: [{ id: "steak", quantity: 2 }] });
    expect(kitchen.status("A")).toBe("sent");
    kitchen.send("A");
    expect(work(kitchen)).toEqual([[[2, 2, 0]]]);
    expect(kitchen.line("A", "steak")).not.toHaveProperty("sentVoidedQuantity");
  });
});

describe("a comped dish", () => {
  it("a dish comped after the send is still cooked, and its ticket does not change [TILL-150]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "flan", quantity: 2 }] });
    kitchen.send("A");
    kitchen.write({ A: [{ id: "flan", quantity: 2, voided: true, comp: true }] });
    expect(work(kitchen)).toEqual([[[2, 0, 0]]]);
    expect(kitchen.line("A", "flan")).toMatchObject({ sentQuantity: 2, kitchenItemStatus: "pending" });
    expect(kitchen.line("A", "flan")).not.toHaveProperty("sentVoidedQuantity");
    expect(kitchen.bump("A", "flan", 2)).toBeNull();
    expect(kitchen.line("A", "flan")).toMatchObject({ kitchenItemStatus: "ready" });
  });

  it("a dish comped before the send is sent with the rest, and keeps its share in a split [TILL-150]", () => {
    const kitchen = createRestaurant();
    kitchen.write({
      A: [
        { id: "flan", quantity: 1, voided: true, comp: true },
        { id: "steak", quantity: 2 },
      ],
    });
    kitchen.send("A");
    expect(work(kitchen)).toEqual([
      [
        [1, 0, 0],
        [2, 0, 0],
      ],
    ]);
    kitchen.write({
      A: [
        { id: "flan", quantity: 1, voided: true, comp: true },
        { id: "steak", quantity: 1 },
        { id: "given", quantity: 1, splitOf: "steak", voided: true, comp: true },
      ],
    });
    expect(kitchen.line("A", "given")).toMatchObject({ sentQuantity: 1 });
    expect(work(kitchen)).toEqual([
      [
        [1, 0, 0],
        [2, 0, 0],
      ],
    ]);
    // A comp that is not wanted after all is void like any other line.
    kitchen.write({
      A: [
        { id: "flan", quantity: 1, voided: true },
        { id: "steak", quantity: 1 },
        { id: "given", quantity: 1, splitOf: "steak", voided: true, comp: true },
      ],
    });
    expect(work(kitchen)).toEqual([
      [
        [1, 0, 1],
        [2, 0, 0],
      ],
    ]);
  });
});

describe("a bump", () => {
  it("a bump of a cancelled dish makes it ready, in place of one that is still to be cooked [KIT-8]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", quantity: 2 }] });
    kitchen.send("A");
    kitchen.write({ A: [{ id: "steak", quantity: 2, voidedQuantity: 1 }] });
    expect(work(kitchen)).toEqual([[[2, 0, 1]]]);
    expect(kitchen.bump("A", "steak", 2)).toBeNull();
    expect(work(kitchen)).toEqual([[[2, 2, 0]]]);
    kitchen.write({ A: [{ id: "steak", quantity: 3, voidedQuantity: 1 }] });
    kitchen.send("A");
    const [, second] = kitchen.ticketsOf("A");
    kitchen.write({ A: [{ id: "steak", quantity: 3, voidedQuantity: 2 }] });
    expect(work(kitchen)).toEqual([[[2, 2, 0]], [[1, 0, 1]]]);
    expect(kitchen.bumpTicket(second?.id ?? "", "steak", 1)).toBeNull();
    expect(work(kitchen)).toEqual([[[2, 2, 0]], [[1, 1, 0]]]);
  });

  it("a bump lower than before is a recall, and leaves void dishes cancelled [KIT-8]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", quantity: 2 }] });
    kitchen.send("A");
    kitchen.bump("A", "steak", 2);
    kitchen.write({ A: [{ id: "steak", quantity: 2, voidedQuantity: 1 }] });
    kitchen.bump("A", "steak", 1);
    expect(work(kitchen)).toEqual([[[2, 1, 1]]]);
    kitchen.bump("A", "steak", 0);
    expect(work(kitchen)).toEqual([[[2, 0, 1]]]);
  });

  it("a bump from an outdated state lowers nothing, and only what exceeds it counts [KIT-312]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", quantity: 3 }] });
    kitchen.send("A");
    const [{ id } = { id: "" }] = kitchen.ticketsOf("A");
    const bumpFrom = (shownQuantity: number, preparedQuantity: number, kitchenItemStatus?: string) =>
      kitchen.change({
        type: "KITCHEN_BUMP",
        kitchenTicketId: id,
        lineId: "steak",
        preparedQuantity,
        shownQuantity,
        kitchenItemStatus,
      });
    kitchen.bumpTicket(id, "steak", 2);
    expect(bumpFrom(0, 0, "preparing")).toBeNull();
    expect(bumpFrom(0, 1)).toBeNull();
    expect(bumpFrom(1, 0)).toBeNull();
    expect(work(kitchen)).toEqual([[[3, 2, 0]]]);
    expect(kitchen.ticketsOf("A")[0]?.lines[0]).not.toHaveProperty("kitchenItemStatus");
    bumpFrom(1, 3);
    expect(work(kitchen)).toEqual([[[3, 3, 0]]]);
    bumpFrom(3, 1);
    expect(work(kitchen)).toEqual([[[3, 1, 0]]]);
    // Prepared dishes were recalled. Outdated reports of them, or of fewer, make nothing ready again.
    bumpFrom(2, 2, "preparing");
    bumpFrom(3, 2);
    expect(work(kitchen)).toEqual([[[3, 1, 0]]]);
  });

  it("a bump above the sent quantity, or of something never sent or missing, is refused [RULE-20]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", quantity: 2 }, { id: "soup" }] });
    kitchen.send("A", { lineIds: ["steak"] });
    const [ticket] = kitchen.ticketsOf("A");
    expect(kitchen.bump("A", "steak", 3)).toMatchObject({ code: "ABOVE_SENT", values: { sent: 2 } });
    expect(kitchen.bump("A", "soup", 1)).toMatchObject({ code: "NEVER_SENT" });
    expect(kitchen.bump("A", "tea", 1)).toMatchObject({ code: "NO_LINE" });
    expect(kitchen.bump("B", "steak", 1)).toMatchObject({ code: "NO_ORDER" });
    expect(kitchen.bumpTicket("none", "steak", 1)).toMatchObject({ code: "NO_TICKET" });
    expect(kitchen.bumpTicket(ticket?.id ?? "", "soup", 1)).toMatchObject({ code: "NO_TICKET_LINE" });
    expect(work(kitchen)).toEqual([[[2, 0, 0]]]);
  });
});

describe("a ticket", () => {
  it("a ticket line names the allergy apart from the note [KIT-206]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", note: "rare", allergy: "peanuts" }, { id: "soup" }] });
    kitchen.send("A");
    const [ticket] = kitchen.ticketsOf("A");
    expect(ticket?.lines).toMatchObject([{ note: "rare", allergy: "peanuts" }, { note: null }]);
    expect(ticket?.lines[1]).not.toHaveProperty("allergy");
  });

  it("a ticket line lists all allergies that another terminal names in a field of its own [KIT-206]", () => {
    const kitchen = createRestaurant();
    const several = { id: "steak", allergy: "peanuts", allergies: ["peanuts", "gluten", " ", 7] };
    kitchen.write({ A: [several, { id: "soup", allergies: "eggs" }, { id: "pie", allergies: [] }] });
    kitchen.send("A");
    const [ticket] = kitchen.ticketsOf("A");
    expect(ticket?.lines).toMatchObject([{ allergy: "peanuts, gluten" }, { allergy: "eggs" }, {}]);
    expect(ticket?.lines[2]).not.toHaveProperty("allergy");
  });

  it("a ticket is given priority and loses it without a new version of its check [KIT-207]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak" }] });
    kitchen.send("A");
    const version = kitchen.versionOf("A");
    const [ticket] = kitchen.ticketsOf("A");
    expect(kitchen.prioritize(ticket?.id ?? "", true)).toBeNull();
    expect(kitchen.ticketsOf("A")).toEqual([{ ...ticket, priority: true }]);
    expect(kitchen.prioritize(ticket?.id ?? "", false)).toBeNull();
    expect([kitchen.ticketsOf("A"), kitchen.versionOf("A")]).toEqual([[ticket], version]);
    expect(kitchen.prioritize("none", true)).toMatchObject({ code: "NO_TICKET" });
  });
});

describe("a ticket marked as seen", () => {
  const seenOf = (kitchen: ReturnType<typeof createRestaurant>) =>
    kitchen.ticketsOf("A").map(({ lines }) => lines.map(({ isSeen }) => isSeen));

  it("a line counts as seen with the cancelled quantity that was shown, and is unseen if more is cancelled by now [KIT-310]", () => {
    const kitchen = createRestaurant();
    const write = (steak: number, soup: number) =>
      kitchen.write({
        A: [
          { id: "steak", quantity: 3, voidedQuantity: steak },
          { id: "soup", quantity: 2, voidedQuantity: soup },
        ],
      });
    write(0, 0);
    kitchen.send("A");
    const [{ id } = { id: "" }] = kitchen.ticketsOf("A");
    const shown = (steak: number, soup: number) => ({
      lines: [
        { lineId: "steak", cancelledQuantity: steak },
        { lineId: "soup", cancelledQuantity: soup },
      ],
    });
    write(1, 0);
    expect(kitchen.markSeen(id, shown(0, 0))).toBeNull();
    expect(seenOf(kitchen)).toEqual([[false, true]]);
    // A dish other than the shown one was cancelled.
    write(0, 1);
    kitchen.markSeen(id, shown(1, 0));
    expect(seenOf(kitchen)).toEqual([[true, false]]);
    write(2, 1);
    kitchen.markSeen(id, shown(1, 1));
    expect(seenOf(kitchen)).toEqual([[false, true]]);
    kitchen.markSeen(id, { lines: [{ lineId: "steak", cancelledQuantity: 2 }] });
    expect(seenOf(kitchen)).toEqual([[true, true]]);
  });

  it("a ticket marked without quantities is seen with everything cancelled, and only in the named lines [KIT-310]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak" }, { id: "soup" }] });
    kitchen.send("A");
    const [{ id } = { id: "" }] = kitchen.ticketsOf("A");
    kitchen.write({ A: [{ id: "steak", voided: true }, { id: "soup" }] });
    kitchen.markSeen(id, { lineIds: ["soup"] });
    expect(seenOf(kitchen)).toEqual([[false, true]]);
    expect(kitchen.markSeen(id, { lineIds: ["steak", "cake"] })).toMatchObject({ code: "NO_TICKET_LINE" });
    expect(seenOf(kitchen)).toEqual([[false, true]]);
    kitchen.markSeen(id);
    expect(seenOf(kitchen)).toEqual([[true, true]]);
  });
});

describe("serving only ready dishes", () => {
  const states = (kitchen: ReturnType<typeof createRestaurant>) =>
    kitchen.ticketsOf("A").map(({ lines }) => lines.map(({ state, preparedQuantity }) => [state, preparedQuantity]));

  it("serving ready dishes skips a dish that the kitchen has recalled since [KIT-473]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "steak", quantity: 2 }, { id: "soup" }] });
    kitchen.send("A");
    const [{ id } = { id: "" }] = kitchen.ticketsOf("A");
    const pickup = { lineIds: ["steak", "soup"], onlyReady: true as const };
    kitchen.bumpTicket(id, "steak", 2);
    kitchen.bumpTicket(id, "soup", 1);
    kitchen.bumpTicket(id, "steak", 1);
    expect(kitchen.serve(id, { ...pickup, heldBy: "A" })).toBeNull();
    expect(states(kitchen)).toEqual([
      [
        ["started", 1],
        ["served", 1],
      ],
    ]);
    kitchen.bumpTicket(id, "soup", 0);
    kitchen.serve(id, pickup);
    expect(states(kitchen)).toEqual([
      [
        ["started", 1],
        ["unseen", 0],
      ],
    ]);
    kitchen.serve(id, { lineIds: ["steak"] });
    expect(states(kitchen)[0]?.[0]).toEqual(["served", 2]);
  });
});

describe("a dish shared by two checks", () => {
  it("a shared dish is served for a check that got all of its share, whatever the other check waits for [KIT-201]", () => {
    const kitchen = createRestaurant();
    kitchen.write({ A: [{ id: "beer", quantity: 2 }] });
    kitchen.send("A");
    kitchen.write({
      A: [{ id: "beer", quantity: 1 }],
      B: [{ id: "beer-b", quantity: 1, splitOf: "beer", splitFrom: "A" }],
    });
    kitchen.write({ A: [{ id: "beer", quantity: 2 }] });
    kitchen.send("A");
    const [, second] = kitchen.ticketsOf("A");
    kitchen.serve(second?.id ?? "", { lineIds: ["beer"] });
    kitchen.write({ A: [{ id: "beer", quantity: 2, voidedQuantity: 1 }] });
    expect(work(kitchen)).toEqual([[[2, 0, 1]], [[1, 1, 0]]]);
    expect(kitchen.line("A", "beer")).toMatchObject({ kitchenItemStatus: "served" });
    expect(kitchen.line("B", "beer-b")).toMatchObject({ kitchenItemStatus: "pending" });
  });
});
