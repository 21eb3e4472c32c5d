import { describe, expect, it } from "vitest";
import { ProposalTerms } from "@comanda/protocol/proposals.ts";
import { emptyDraft, problemOf, proposable, targetsOf, termsOf, type Draft } from "./draft.ts";

const timeZone = "America/Santo_Domingo";
/** 20:00 in Santo Domingo. */
const now = Date.parse("2026-11-28T00:00:00Z");
const moment = { now, timeZone };
const at = "2026-11-27T23:59:58.000Z";
const chicken: Partial<Draft> = { dishes: new Map([["17", "Pollo entero"]]) };

/** Returns the terms of a draft as the API parses them. */
function sentOf(part: Partial<Draft>, clock = moment): ProposalTerms {
  const draft = { ...emptyDraft, ...part };
  expect(problemOf(draft, clock, ["r0001"])).toBeNull();
  const terms = termsOf(draft, clock, { title: "Pollo", at });
  return ProposalTerms.parse(terms);
}
const problem = (part: Partial<Draft>, targets: readonly string[] = ["r0001"]) =>
  problemOf({ ...emptyDraft, ...part }, moment, targets);

describe("a draft of a proposal", () => {
  it("a draft takes dishes off at once until the business day ends, and is not valid for longer [HQ-169]", () => {
    expect(sentOf(chicken)).toEqual({
      kind: "stock",
      title: "Pollo",
      policy: "apply",
      at,
      until: "2026-11-28T09:00:00.000Z",
      items: [{ key: "17", want: { state: "out", until: "2026-11-28T09:00:00.000Z" } }],
    });
    // After midnight the business day is still the one before.
    const late = { now: Date.parse("2026-11-28T05:30:00Z"), timeZone };
    expect(sentOf(chicken, late).until).toBe("2026-11-28T09:00:00.000Z");
  });

  it("a draft takes dishes off until a time of the chain, or until the restaurant sells them again [HQ-169]", () => {
    const { items, until } = sentOf({ ...chicken, ends: "time", endsAt: "2026-12-05T12:00" });
    expect(items).toEqual([{ key: "17", want: { state: "out", until: "2026-12-05T16:00:00.000Z" } }]);
    expect(until, "three days").toBe("2026-12-01T00:00:00.000Z");
    expect(sentOf({ ...chicken, ends: "never", days: 1, policy: "ask" })).toMatchObject({
      policy: "ask",
      until: "2026-11-29T00:00:00.000Z",
      items: [{ key: "17", want: { state: "out" } }],
    });
    expect(sentOf({ ...chicken, kind: "resume" }).items).toEqual([{ key: "17", want: { state: "available" } }]);
  });

  it("a draft of a setting always asks for a decision, whatever was chosen for dishes [HQ-169]", () => {
    const draft = { kind: "setting", setting: "HUB_RETENTION_DAYS", value: " 400 ", policy: "apply" } as const;
    expect(sentOf(draft)).toMatchObject({
      kind: "settings",
      policy: "ask",
      items: [{ key: "HUB_RETENTION_DAYS", want: "400" }],
    });
    expect(sentOf({ ...draft, value: "", isDefault: true }).items).toEqual([{ key: "HUB_RETENTION_DAYS", want: null }]);
  });

  it("a draft that begins at a time of the chain counts its days and business day from there [HQ-172]", () => {
    const later = { ...chicken, begins: "time", beginsAt: "2026-11-29T18:00" } as const;
    const day = "2026-11-30T09:00:00.000Z";
    expect(sentOf(later)).toMatchObject({
      at: "2026-11-29T22:00:00.000Z",
      until: day,
      items: [{ key: "17", want: { state: "out", until: day } }],
    });
    expect(sentOf({ ...later, kind: "resume", days: 1 }).until).toBe("2026-11-30T22:00:00.000Z");
  });

  it("a draft whose beginning is past, after its end or too far away has a problem [HQ-172]", () => {
    const at = (beginsAt: string): Partial<Draft> => ({ ...chicken, begins: "time", beginsAt });
    expect(problem(at(""))).toBe("badBegin");
    expect(problem(at("2026-11-27T20:00"))).toBe("badBegin");
    expect(problem({ ...at("2026-11-28T12:00"), ends: "time", endsAt: "2026-11-28T12:00" })).toBe("endsBefore");
    expect(problem({ ...at("2027-02-24T20:00"), kind: "resume", days: 1 })).toBeNull();
    expect(problem({ ...at("2027-02-24T20:01"), kind: "resume", days: 1 })).toBe("endsLate");
    expect(
      problem({ ...at("2026-11-27T20:01"), kind: "setting", setting: "HUB_RETENTION_DAYS", value: "400" }),
    ).toBeNull();
  });

  it("a draft names what is still missing [HQ-168]", () => {
    expect(problem({})).toBe("noDishes");
    expect(problem({ dishes: new Map(Array.from({ length: 201 }, (_, id) => [String(id), "x"])) })).toBe("manyDishes");
    expect(problem({ ...chicken, ends: "time", endsAt: "" })).toBe("badTime");
    expect(problem({ ...chicken, ends: "time", endsAt: "2026-11-27T19:59" })).toBe("badTime");
    expect(problem({ kind: "setting" })).toBe("noSetting");
    expect(problem({ kind: "setting", setting: "HUB_RETENTION_DAYS", value: "mucho" })).toBe("badValue");
    expect(problem({ kind: "setting", setting: "HUB_RETENTION_DAYS", value: "" })).toBe("badValue");
    expect(problem(chicken, [])).toBe("noTargets");
  });

  it("a draft goes to all restaurants, to a group or to chosen ones [HQ-168]", () => {
    const restaurants = [
      { id: "r1", groups: ["Norte"] },
      { id: "r2", groups: [] },
      { id: "r3", groups: ["Norte", "Playa"] },
    ];
    const ids = (part: Partial<Draft>) => targetsOf({ ...emptyDraft, ...part }, restaurants).map(({ id }) => id);
    expect(ids({})).toEqual([]);
    expect(ids({ group: "Norte" })).toEqual(["r1", "r3"]);
    expect(ids({ targets: "all" })).toEqual(["r1", "r2", "r3"]);
    expect(ids({ targets: "chosen", chosen: new Set(["r2"]) })).toEqual(["r2"]);
  });

  it("settings that every hub refuses cannot be proposed [HQ-169]", () => {
    expect(proposable).toContain("HUB_FORWARD_INTERVAL_MS");
    expect(proposable.filter((name) => /^HUB_CHAIN_|^ERP_|^HUB_DB_PATH$/.test(name))).toEqual([]);
  });
});
