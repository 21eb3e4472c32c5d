import { bytesText } from "./bytes-text.ts";
import { describe, expect, it } from "vitest";
import { createFormat } from "./format.ts";

const plain = (text: string) => text.replaceAll(/\s/g, " ");

describe("format", () => {
  const es = createFormat("es", "DOP");
  const en = createFormat("en", "DOP");
  const at = "2026-11-21T19:42:07.000Z";
  const now = Date.parse(at);

  it("money is written as usual in each language [UI-7]", () => {
    expect(plain(es.money(1234.5))).toBe("RD$1,234.50");
    expect(plain(en.money(1234.5))).toBe("RD$1,234.50");
    expect(plain(en.money(-3))).toBe("-RD$3.00");
  });

  it("quantities are written to three decimals, and shares of a dish as fractions [TOUCH-463] [TOUCH-1595]", () => {
    expect([0.3554, 0.333, 1000.5, 2].map(es.quantity)).toEqual(["0.355", "1/3", "1,000.5", "2"]);
  });

  it("prices have decimals only if they are not whole [TOUCH-22]", () => {
    expect([225, 85.5, 1250].map((price) => plain(es.price(price)))).toEqual(["RD$225", "RD$85.50", "RD$1,250"]);
  });

  it("an age is shown in the largest unit that fits [UI-7]", () => {
    expect(en.ago(at, now + 4_900)).toBe("4 sec. ago");
    expect(en.ago(at, now + 59_999)).toBe("59 sec. ago");
    expect(en.ago(at, now + 3 * 60_000)).toBe("3 min. ago");
    expect(en.ago(at, now + 26 * 3_600_000)).toBe("1 day ago");
    expect(es.ago(at, now + 4_000)).toBe("hace 4 s");
  });

  it("an age is never in the future [UI-7]", () => {
    expect(en.ago(at, now - 5_000)).toBe("0 sec. ago");
  });

  it("a duration is shown in at most two units [UI-7]", () => {
    expect([500, 59_900, 61_000, 3_600_000, 7_500_000].map((ms) => plain(en.duration(ms)))).toEqual([
      "0.5 sec",
      "59 sec",
      "1 min",
      "1 hr",
      "2 hr 5 min",
    ]);
  });

  it("money has the country's sign in both languages, and dollars cannot be confused with pesos [UI-228]", () => {
    expect([es, en].map((format) => format.money(5))).toEqual(["RD$5.00", "RD$5.00"]);
    expect(["es", "en"].map((language) => createFormat(language as "es", "USD").moneyShort(12.4))).toEqual([
      "US$12",
      "US$12",
    ]);
  });

  it("money is in pesos until the hub has read its currency [UI-228]", () => {
    const currencies = [undefined, "", "RD$"];
    expect(currencies.map((currency) => createFormat("es", currency).money(5))).toEqual(
      currencies.map(() => "RD$5.00"),
    );
  });

  it("durations and sizes are shown in units that people use [UI-220]", () => {
    expect([0, 1, 40, 999].map((ms) => plain(es.duration(ms)))).toEqual(["0 s", "0.1 s", "0.1 s", "1 s"]);
    expect([1, 225, 1500, 2_000_000].map((bytes) => plain(bytesText(es, bytes)))).toEqual([
      "1 byte",
      "225 bytes",
      "1.5 kB",
      "2 MB",
    ]);
  });

  it("seconds have the same sign in ages and durations, and days are a word [UI-323]", () => {
    const now = Date.parse("2026-11-22T16:00:14.000Z");
    const [at, day] = ["2026-11-22T16:00:00.000Z", 86_400_000];
    expect([es.ago(at, now), es.duration(14_000)].map(plain)).toEqual(["hace 14 s", "14 s"]);
    expect([es.duration(day), es.duration(14 * day), en.duration(14 * day)].map(plain)).toEqual([
      "1 día",
      "14 días",
      "14 days",
    ]);
  });

  it("times and days are those of the restaurant [UI-227]", () => {
    const there = createFormat("es", "DOP", "America/Santo_Domingo");
    const night = "2026-11-22T02:30:00.000Z";
    expect(plain(there.time(night))).toBe("10:30 p. m.");
    expect(plain(there.day(night))).toBe("sábado, 21 de noviembre de 2026");
    expect(there.date("2026-11-22")).toBe("22 nov de 2026");
    const noon = Date.parse("2026-11-22T16:00:00.000Z");
    const times = [night, "2026-11-22T20:00:00.000Z", "2026-11-23T13:00:00.000Z", "2026-11-25T13:00:00.000Z"];
    expect(times.map((at) => plain(there.when(at, noon)))).toEqual([
      "ayer, 10:30 p. m.",
      "4:00 p. m.",
      "mañana, 9:00 a. m.",
      "25 nov, 9:00 a. m.",
    ]);
    // In the evening, it is already the next day in UTC.
    const evening = Date.parse("2026-11-23T01:00:00.000Z");
    expect(plain(there.upcoming("2026-11-23T13:00:00.000Z", evening))).toBe("mañana 9:00 a. m.");
  });

  it("no line breaks within a time, in both languages [UI-700]", () => {
    for (const [language, time] of [
      ["es", "10:30 p. m."],
      ["en", "10:30 PM"],
    ] as const) {
      const there = createFormat(language, "DOP", "America/Santo_Domingo");
      const night = "2026-11-22T02:30:00.000Z";
      const times = [there.time(night), there.dateTime(night), there.fullDateTime(night), there.when(night, 0)];
      for (const text of times) expect(text.slice(-time.length)).toBe(time.replaceAll(" ", "\u00a0"));
      // Elsewhere a line may break.
      expect(there.dateTime(night)).toMatch(/^\S+ \S+ /);
    }
  });

  it("a time only hours away carries no day, before or after midnight [UI-227]", () => {
    const there = createFormat("es", "DOP", "America/Santo_Domingo");
    const beforeMidnight = Date.parse("2026-11-23T03:48:00.000Z");
    const times = ["2026-11-23T04:18:00.000Z", "2026-11-23T16:00:00.000Z"];
    expect(times.map((at) => plain(there.upcoming(at, beforeMidnight)))).toEqual(["12:18 a. m.", "mañana 12:00 p. m."]);
    const afterMidnight = Date.parse("2026-11-23T04:10:00.000Z");
    expect(plain(there.upcoming("2026-11-23T03:50:00.000Z", afterMidnight))).toBe("11:50 p. m.");
  });
});
