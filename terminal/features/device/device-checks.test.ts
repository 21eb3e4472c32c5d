import { expect, it } from "vitest";
import texts from "./texts.json" with { type: "json" };
import { checksOf, nextStep, type Findings } from "./device-checks.ts";

const fine: Findings = {
  storage: "kept",
  roundTrip: 12,
  clockAheadMs: 900,
  sound: "heard",
  awake: "kept",
  isSecure: true,
};

const variants: Findings[] = [
  fine,
  { storage: null, roundTrip: null, clockAheadMs: null, sound: null, awake: null, isSecure: false },
  {
    storage: "mayBeCleared",
    roundTrip: 900,
    clockAheadMs: 3_600_000,
    sound: "silent",
    awake: "missing",
    isSecure: false,
  },
  {
    storage: "refused",
    roundTrip: "away",
    clockAheadMs: -3_600_000,
    sound: "silent",
    awake: "byHand",
    isSecure: false,
  },
];

it("nothing is to be done on a device where everything works [TOUCH-160]", () => {
  expect(checksOf(fine).map(({ tone }) => tone)).toEqual(["good", "good", "good", "good", "good", "good"]);
  expect(nextStep(checksOf(fine))).toBeNull();
});

it("one thing to do is named at a time, the worst first [TOUCH-160]", () => {
  const steps = variants.map((findings) => nextStep(checksOf(findings)));
  expect(steps.map((step) => step && [step.name, step.text])).toEqual([
    null,
    ["sound", "untried"],
    ["path", "slow"],
    ["path", "away"],
  ]);
  expect(nextStep(checksOf({ ...fine, sound: "silent", storage: "refused" }))).toMatchObject({ name: "storage" });
  expect(nextStep(checksOf({ ...fine, isSecure: false }))).toBeNull();
});

it("every finding has a text [TOUCH-160]", () => {
  for (const { name, text } of variants.flatMap(checksOf)) {
    expect(Object.keys(texts.check[name])).toContain(text);
  }
});
