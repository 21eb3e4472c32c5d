import { describe, expect, it } from "vitest";
import { lacksNumbers, presentSequences, scarceNumbers } from "./ncf-sequences.ts";

/** 20:00 on 22 November in Santo Domingo, which is the 23rd in UTC. */
const evening = Date.parse("2026-11-23T00:00:00Z");

const stateOf = (left: number, expiresOn: string | null): string | undefined =>
  presentSequences([{ type: "B02", left, expiresOn }], evening)?.[0]?.state;

describe("fiscal number sequences", () => {
  it("a sequence warns at 200 numbers left, and 14 days before its last day in Santo Domingo [FISC-57]", () => {
    expect(stateOf(201, "2026-12-31")).toBe("ok");
    expect(stateOf(200, "2026-12-31")).toBe("low");
    expect(stateOf(5_000, "2026-12-07")).toBe("ok");
    expect(stateOf(5_000, "2026-12-06")).toBe("expiring");
    expect(stateOf(5_000, null)).toBe("ok");
    expect(stateOf(200, "2026-12-06")).toBe("low");
  });

  it("a sequence can be used through its last day, and not once it is used up [FISC-58]", () => {
    expect(stateOf(5_000, "2026-11-22")).toBe("expiring");
    expect(stateOf(5_000, "2026-11-21")).toBe("expired");
    expect(stateOf(0, "2027-12-31")).toBe("used_up");
    const lacks = (left: number, expiresOn: string) =>
      lacksNumbers(presentSequences([{ type: "B02", left, expiresOn }], evening));
    expect([lacks(1, "2026-11-22"), lacks(1, "2026-11-21"), lacks(0, "2026-11-22")]).toEqual([false, true, true]);
  });

  it("a type is scarce when none of its sequences has enough numbers and days left [FISC-71]", () => {
    const scarce = (...sequences: { type: string; left: number; expiresOn?: string }[]) =>
      scarceNumbers(presentSequences(sequences, evening)).map(({ type, left, state }) => [type, left, state]);
    expect(scarce({ type: "B02", left: 12 }, { type: "E32", left: 5_000 })).toEqual([["B02", 12, "low"]]);
    expect(scarce({ type: "B02", left: 12 }, { type: "B02", left: 5_000 })).toEqual([]);
    expect(scarce({ type: "B02", left: 0 }, { type: "B02", left: 12 })).toEqual([["B02", 12, "low"]]);
    expect(scarce({ type: "E31", left: 900, expiresOn: "2026-11-30" })).toEqual([["E31", 900, "expiring"]]);
    expect(scarceNumbers(null)).toEqual([]);
  });

  it("sequences are unknown if the back-office reports none [FISC-59]", () => {
    expect(presentSequences(undefined, evening)).toBeNull();
    expect(lacksNumbers(null)).toBe(false);
  });
});
