import { describe, expect, it } from "vitest";
import { createFormat } from "./format.ts";

const plain = (text: string) => text.replaceAll(/\s/g, " ");

describe("format", () => {
  const es = createFormat("es", "DOP");
  const en = createFormat("en", "DOP");
  const at = "2026-11-21T19:42:07.000Z";
  const now = Date.parse(at);

  it("[UI-7] writes money as it is written in each language", () => {
    expect(plain(es.money(1234.5))).toBe("RD$1,234.50");
    expect(plain(en.money(1234.5))).toBe("DOP 1,234.50");
  });

  it("[UI-7] shows an age in the largest unit that fits", () => {
    expect(en.ago(at, now + 4_900)).toBe("4 sec. ago");
    expect(en.ago(at, now + 59_999)).toBe("59 sec. ago");
    expect(en.ago(at, now + 3 * 60_000)).toBe("3 min. ago");
    expect(en.ago(at, now + 26 * 3_600_000)).toBe("1 day ago");
    expect(es.ago(at, now + 4_000)).toBe("hace 4 s");
  });

  it("[UI-7] never shows an age in the future", () => {
    expect(en.ago(at, now - 5_000)).toBe("0 sec. ago");
  });

  it("[UI-7] shows a duration in at most two units", () => {
    expect([500, 59_900, 61_000, 3_600_000, 7_500_000].map((ms) => plain(en.duration(ms)))).toEqual([
      "500 ms",
      "59 sec",
      "1 min",
      "1 hr",
      "2 hr 5 min",
    ]);
  });
});
