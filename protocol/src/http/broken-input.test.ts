import { describe, expect, it } from "vitest";
import { brokenInput, withoutControlCharacters } from "./broken-input.ts";

describe("brokenInput", () => {
  it("brokenInput finds a fault wherever it is, and names the place [TERM-84, TERM-85]", () => {
    const cases: [unknown, string | null][] = [
      [{ a: [{ b: "x\u0000" }] }, "a.0.b: must not hold control characters"],
      [{ a: { "k\u001f": 1 } }, "a: a field's name must not hold control characters"],
      [{ "k\u001f": 1 }, "the message: a field's name must not hold control characters"],
      [["\u0085"], "0: must not hold control characters"],
      [{ a: "\udc00" }, "a: must not hold control characters"],
      [{ a: Number.NaN }, "a: must be a number below 2^53"],
      [{ a: -(2 ** 53) }, "a: must be a number below 2^53"],
      [{ a: "x\ry" }, "a: must not hold control characters"],
      [{ a: "x\r\ny\r" }, "a: must not hold control characters"],
      [{ a: "x\r\ny" }, null],
      [{ a: 2 ** 53 - 1, b: 1e-300, c: "Ñandú\n\t🍽 \u202ex", d: null, e: [true] }, null],
      ["\u0000", "the message: must not hold control characters"],
    ];
    for (const [value, received] of cases) expect(brokenInput(value, 5)).toBe(received);
  });

  it("brokenInput can accept any text, but no invalid number [TERM-84]", () => {
    expect(brokenInput({ a: "\u0000", "\u0001": 1 }, 5, true)).toBeNull();
    expect(brokenInput({ a: "\u0000", b: Number.POSITIVE_INFINITY }, 5, true)).toBe("b: must be a number below 2^53");
  });

  it("brokenInput does not overflow on a deeply nested message [TERM-85]", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect(brokenInput(deep, 32)).toBe("nested deeper than 32 levels");
    expect(brokenInput({ a: { b: {} } }, 2)).toBeNull();
    expect(brokenInput({ a: { b: {} } }, 1)).toBe("nested deeper than 1 levels");
  });
});

describe("withoutControlCharacters", () => {
  it("withoutControlCharacters puts a space in place of each, and changes nothing else [ORDER-62, ORDER-65]", () => {
    expect(withoutControlCharacters("a\u001b[2J\nb\tc\u007f\u009b")).toBe("a [2J\nb\tc  ");
    const clean = { a: ["Ñandú 🍽", 1, null, { b: true }] };
    expect(withoutControlCharacters({ ...clean, c: "\r" })).toEqual({ ...clean, c: " " });
    expect(withoutControlCharacters({ a: "\ud83d" })).toEqual({ a: "\ufffd" });
    expect(withoutControlCharacters(["x\r\ny", "x\r\n\r\u0000y"])).toEqual(["x\ny", "x\n  y"]);
  });
});
