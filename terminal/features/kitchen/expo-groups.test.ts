import { describe, expect, it } from "vitest";
import { buildLine, buildTicket } from "../../test/build-ticket.ts";
import { expoGroups } from "./expo-groups.ts";

const now = Date.parse("2026-11-21T20:20:00.000Z");
const ready = (name: string) => buildLine(name, { preparedQuantity: 1, state: "ready" });
const names = (lines: readonly { line: { name: string } }[]) => lines.map(({ line }) => line.name);

describe("the pass", () => {
  it("[TOUCH-111] puts together by table what is ready and what is missing, of all stations", () => {
    const kitchen = buildTicket("1", { lines: [ready("Mofongo"), buildLine("Sancocho")] });
    const bar = buildTicket("2", {
      stationId: "bar",
      isOver: true,
      readyAt: "2026-11-21T20:10:00.000Z",
      lines: [ready("Mojito")],
    });
    const other = buildTicket("3", { tableId: null, posReference: "B" });
    const groups = expoGroups([kitchen, other], [bar], now);
    expect(groups.map((group) => [group.first.id, names(group.ready), names(group.missing)])).toEqual([
      ["1", ["Mofongo", "Mojito"], ["Sancocho"]],
      ["3", [], ["Mofongo"]],
    ]);
  });

  it("[TOUCH-111] takes for served what has stood for 15 min at a station that does not mark it", () => {
    const old = buildTicket("1", { isOver: true, readyAt: "2026-11-21T20:05:00.000Z", lines: [ready("Mofongo")] });
    const standing = { ...old, id: "2", readyAt: "2026-11-21T20:05:00.001Z" };
    const served = { ...standing, id: "3", lines: [buildLine("Mofongo", { preparedQuantity: 1, state: "served" })] };
    expect(expoGroups([], [old, served], now)).toEqual([]);
    expect(expoGroups([], [standing], now)).toHaveLength(1);
    expect(expoGroups([{ ...old, isOver: false, serving: true }], [], now)).toHaveLength(1);
  });
});
