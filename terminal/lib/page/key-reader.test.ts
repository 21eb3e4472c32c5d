import { describe, expect, it } from "vitest";
import { createScanDetector } from "./key-reader.ts";

/** Feeds keys that are `gapMs` apart. Returns the result of the last one. */
function typed(keys: readonly string[], gapMs: number, detector = createScanDetector(), from = 1_000): string | null {
  return keys.map((key, index) => detector.feed(key, from + index * gapMs)).at(-1) ?? null;
}

const entered = (text: string) => [...text.split(""), "Enter"];

describe("scan detector", () => {
  it("fast keys ended by Enter are a scan [TOUCH-20]", () => {
    expect(typed(entered("7460001"), 8)).toBe("7460001");
    expect(typed(["Shift", "A", "Shift", "B", "1", "2", "Enter"], 20)).toBe("AB12");
  });

  it("slow keys are typing [TOUCH-20]", () => {
    expect(typed(entered("mofongo"), 110)).toBeNull();
    expect(typed(entered("2 a"), 10)).toBeNull();
    expect(typed("7460001".split(""), 8)).toBeNull();
  });

  it("a scan leaves out keys typed before it, and is not read twice [TOUCH-20]", () => {
    const detector = createScanDetector();
    expect(typed("flan".split(""), 200, detector)).toBeNull();
    expect(typed(entered("7460001"), 8, detector, 5_000)).toBe("7460001");
    expect(typed(["Enter"], 8, detector, 5_200)).toBeNull();
  });

  it("a scan that ends with a tab, a space or two Enters is read once, as the same code [TOUCH-1087]", () => {
    expect(typed([..."7460001".split(""), "Tab"], 8)).toBe("7460001");
    const detector = createScanDetector();
    expect(typed(entered("7460001 "), 8, detector)).toBe("7460001");
    expect(typed(["Enter", "Enter"], 8, detector, 1_080)).toBe("");
    expect(typed(["Tab"], 8, detector, 5_000)).toBeNull();
    expect(typed(entered("7460002"), 8, detector, 6_000)).toBe("7460002");
  });
});
