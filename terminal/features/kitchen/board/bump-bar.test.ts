import { describe, expect, it } from "vitest";
import { buildLine, buildTicket } from "../../../test/build-ticket.ts";
import { currentBar, nowhere } from "./bar-place.ts";
import { bumpAt, lineBeside } from "./bump-bar.ts";

const [soup, rice, flan] = ["Sancocho", "Moro", "Flan"].map((name) => buildLine(name));
if (soup === undefined || rice === undefined || flan === undefined) throw new Error("the kitchen has no dishes");

describe("the bump bar", () => {
  it("the bump bar goes through the lines of a ticket and back to all of it, and stops at both ends [TOUCH-108]", () => {
    const lines = [soup, rice];
    const down = (lineId: string | null) => lineBeside(lines, lineId, 1);
    const up = (lineId: string | null) => lineBeside(lines, lineId, -1);
    expect([down(null), down("Sancocho"), down("Moro")]).toEqual(["Sancocho", "Moro", "Moro"]);
    expect([up("Moro"), up("Sancocho"), up(null)]).toEqual(["Sancocho", null, null]);
    expect([lineBeside([], null, 1), lineBeside([], null, -1)]).toEqual([null, null]);
  });

  it("the bump bar stays on its line when the lines above change, and marks no other once it is gone [TOUCH-108]", () => {
    const done: string[] = [];
    const acts = {
      bump: (_: unknown, { name }: { name: string }) => void done.push(name),
      bumpAll: () => void done.push("all"),
    };
    bumpAt(buildTicket("1", { lines: [rice, flan] }), "Flan", acts);
    bumpAt(buildTicket("1", { lines: [flan] }), "Flan", acts);
    bumpAt(buildTicket("1", { lines: [rice] }), "Flan", acts);
    bumpAt(buildTicket("1", { lines: [rice] }), null, acts);
    expect(done).toEqual(["Flan", "Flan", "all"]);
  });

  it("the bump bar marks nothing once its ticket or line has left [TOUCH-108]", () => {
    const on = { ticketId: "1", lineId: "Flan" };
    expect(currentBar(on, [buildTicket("1", { lines: [rice, flan] })])).toBe(on);
    expect(currentBar(on, [buildTicket("1", { lines: [rice] }), buildTicket("2", { lines: [flan] })])).toBe(nowhere);
    expect(currentBar({ ...on, lineId: null }, [buildTicket("2")])).toBe(nowhere);
    expect(currentBar(nowhere, [])).toBe(nowhere);
  });
});
