import { describe, expect, it } from "vitest";
import { buildLine, buildTicket } from "../../../test/build-ticket.ts";
import { ticketsAtPass } from "../../../checks/ready-dishes.ts";
import { expoGroups, priorityOf, sameAddressed, wasServed } from "./expo-groups.ts";

const now = Date.parse("2026-11-21T20:20:00.000Z");
const ready = (name: string) => buildLine(name, { preparedQuantity: 1, state: "ready" });
const names = (lines: readonly { quantity: number; line: { name: string } }[]) =>
  lines.map(({ quantity, line }) => `${quantity} ${line.name}`);

describe("the pass", () => {
  it("the pass groups ready and missing dishes of all stations by check [TOUCH-111]", () => {
    const kitchen = buildTicket("1", { posReference: "A", lines: [ready("Mofongo"), buildLine("Sancocho")] });
    const bar = buildTicket("2", {
      posReference: "A",
      stationId: "bar",
      isOver: true,
      readyAt: "2026-11-21T20:10:00.000Z",
      lines: [ready("Mojito")],
    });
    const other = buildTicket("3", { tableId: null, posReference: "B" });
    const groups = expoGroups([kitchen, other, bar]);
    expect(groups.map((group) => [group.id, names(group.ready), names(group.missing)])).toEqual([
      ["A", ["1 Mofongo", "1 Mojito"], ["1 Sancocho"]],
      ["B", [], ["1 Mofongo"]],
    ]);
  });

  it("dishes ready for 15 min count as served if their station does not mark serving [TOUCH-111]", () => {
    const old = buildTicket("1", { isOver: true, readyAt: "2026-11-21T20:05:00.000Z", lines: [ready("Mofongo")] });
    const standing = { ...old, id: "2", readyAt: "2026-11-21T20:05:00.001Z" };
    const served = { ...standing, id: "3", lines: [buildLine("Mofongo", { preparedQuantity: 1, state: "served" })] };
    expect(expoGroups(ticketsAtPass([], [old, served], now))).toEqual([]);
    expect(expoGroups(ticketsAtPass([], [standing], now))).toHaveLength(1);
    expect(expoGroups(ticketsAtPass([{ ...old, isOver: false, serving: true }], [], now))).toHaveLength(1);
  });

  it("each check of a split dish has its own quantity, at its own table [TOUCH-320]", () => {
    const share = { lineId: "Mofongo", quantity: 1, preparedQuantity: 0, cancelledQuantity: 0 };
    const line = buildLine("Mofongo", {
      quantity: 3,
      preparedQuantity: 1,
      state: "started",
      shares: [
        { ...share, posReference: "A", preparedQuantity: 1 },
        { ...share, posReference: "B", quantity: 2 },
      ],
    });
    const address = { orderType: "dine_in", checkNumber: 1, ticketNumber: null, customerName: null } as const;
    const ticket = buildTicket("1", {
      posReference: "A",
      checkNumber: 1,
      tableId: 8,
      alsoFor: [{ ...address, posReference: "B", tableId: 2 }],
      lines: [line],
    });
    const shown = expoGroups([ticket]).map((group) => [
      group.address.tableId,
      names(group.ready),
      names(group.missing),
    ]);
    expect(shown).toEqual([
      [8, ["1 Mofongo"], []],
      [2, [], ["2 Mofongo"]],
    ]);
  });

  it("priority is given only to tickets without it, so that undoing it keeps the others' [TOUCH-326]", () => {
    const first = buildTicket("1", { posReference: "A", priority: true });
    const plain = buildTicket("2", { posReference: "A", stationId: "bar" });
    const of = (...tickets: Parameters<typeof expoGroups>[0][number][]) => {
      const [group = { missing: [] }] = expoGroups(tickets);
      const { isFirst, toChange } = priorityOf(group);
      return [isFirst, toChange.map(({ id }) => id)];
    };
    expect(of(first, plain)).toEqual([false, ["2"]]);
    expect(of(first, { ...plain, priority: true })).toEqual([true, ["1", "2"]]);
    expect(of()).toEqual([false, []]);
  });

  it("parties that follow each other at one table are separate groups with the same address, whatever their notes [TOUCH-320]", () => {
    const [first, next, other] = [
      buildTicket("1", { posReference: "A", checkNumber: 1, lines: [ready("Mofongo")] }),
      buildTicket("2", { posReference: "B", checkNumber: 1, notes: "Sin prisa" }),
      buildTicket("3", { posReference: "C", checkNumber: 2 }),
    ];
    const groups = expoGroups([first, next, other]);
    expect(groups.map(({ id }) => id)).toEqual(["A", "B", "C"]);
    expect([...sameAddressed(groups)]).toEqual(["A", "B"]);
  });

  it("a group counts as served only if its dishes were [TOUCH-322]", () => {
    const standing = buildTicket("1", { posReference: "A", lines: [ready("Mofongo")] });
    const [group] = expoGroups([standing]);
    if (group === undefined) throw new Error("nothing stands at the pass");
    const served = buildTicket("1", {
      posReference: "A",
      lines: [buildLine("Mofongo", { preparedQuantity: 1, state: "served" })],
    });
    const over = { ...standing, isOver: true, readyAt: "2026-11-21T20:05:00.000Z" };
    const recalled = buildTicket("1", { posReference: "A" });
    expect([served, over, recalled].map((ticket) => wasServed(group, [ticket], now))).toEqual([true, true, false]);
    expect(wasServed(group, [], now)).toBe(false);
  });
});
