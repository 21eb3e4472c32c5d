import { describe, expect, it } from "vitest";
import { figure, reached } from "./figure.ts";
import { percentile } from "./statistics.ts";

const line = { id: "x", text: "x", unit: "x/s" };

describe("figures", () => {
  it("a figure is the median of its rounds, and its ratio the median of the rounds' ratios", () => {
    const result = figure({ ...line, ours: [10, 40, 30], beside: { name: "limit", values: [20, 100, 50] } });
    expect(result).toMatchObject({ ours: 30, beside: { name: "limit", value: 50 }, ratio: 0.5 });
  });

  it("the ratio of a cost is inverted, so that more is better", () => {
    const result = figure({ ...line, ours: [200, 50], beside: { name: "limit", values: [100, 50] }, isCost: true });
    expect(result).toMatchObject({ ours: 125, ratio: 0.75 });
  });

  it.each([
    [0.4, "no"],
    [0.5, "must"],
    [0.7, "aim"],
    [Number.NaN, "not measured"],
  ] as const)('a figure of %s with the goal "must 0.5, aim 0.7" is rated: %s', (value, expected) => {
    expect(
      reached(figure({ ...line, ours: [value], goal: { of: "value", is: "at least", must: 0.5, aim: 0.7 } })),
    ).toBe(expected);
  });
});

describe("percentiles", () => {
  it("a percentile lies between the ranks", () => {
    expect([percentile([4, 1, 3, 2], 50), percentile([1, 2], 99), percentile([7], 1)]).toEqual([2.5, 1.99, 7]);
  });
});
