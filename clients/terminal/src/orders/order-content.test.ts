import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { copyOf, sameValue } from "./order-content.ts";

const json = fc.jsonValue({ maxDepth: 3 });

describe("copyOf", () => {
  it("copyOf copies any JSON, and shares nothing with it [CLIENT-138]", () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = copyOf(value);
        expect(copy).toEqual(value);
        if (typeof value === "object" && value !== null) expect(copy).not.toBe(value);
      }),
    );
    const nested = { lines: [{ modifiers: [{ id: 1 }] }] };
    const copy = copyOf(nested);
    copy.lines[0]?.modifiers.push({ id: 2 });
    expect(nested).toEqual({ lines: [{ modifiers: [{ id: 1 }] }] });
  });

  it("copyOf refuses what cannot be stored, and keeps a date a date [CLIENT-138]", () => {
    expect(() => copyOf({ total: () => 5 })).toThrow(/could not be cloned/);
    expect(copyOf({ at: new Date(5) })).toEqual({ at: new Date(5) });
  });
});

describe("sameValue", () => {
  it("sameValue treats undefined, null and an empty list as the same, and ignores the order of keys [CLIENT-138]", () => {
    expect(sameValue({ a: 1, b: [{ c: null }] }, { b: [{}], a: 1, d: [] })).toBe(true);
    expect(sameValue(undefined, null)).toBe(true);
    expect(sameValue([], undefined)).toBe(true);
  });

  it("sameValue sees any other difference, from either side [CLIENT-138]", () => {
    const different: [unknown, unknown][] = [
      [1, "1"],
      [{}, null],
      [[1], [1, 2]],
      [[], {}],
      [[null], []],
      [{ a: { b: 1 } }, { a: { b: 1, c: 2 } }],
      [{ constructor: "x" }, {}],
      [0, null],
      ["", undefined],
      [false, undefined],
    ];
    for (const [one, other] of different)
      expect([sameValue(one, other), sameValue(other, one)]).toEqual([false, false]);
  });

  it("sameValue finds every value the same as its copy with its keys in another order [CLIENT-138]", () => {
    fc.assert(fc.property(json, (value) => sameValue(value, reversed(value))));
  });
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
