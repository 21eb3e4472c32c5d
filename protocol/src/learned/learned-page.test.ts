import { describe, expect, it } from "vitest";
import { ageLimitsOf, generalAgeLimits, slowestLimits } from "./age-limits.ts";
import { restaurantClock } from "../basics/restaurant-clock.ts";
import { LEARNED_TILES, learnedPage } from "./learned-page.ts";
import type { Learned, LearnedShare } from "./learned.ts";

/** A Friday at 21:30 in Santo Domingo. */
const at = Date.parse("2026-11-21T01:30:00Z");

function learned(products: readonly LearnedShare[], fields: Partial<Learned> = {}): Learned {
  return {
    timeZone: "America/Santo_Domingo",
    hours: [{ hour: 21, days: "weekend", products: [...products] }],
    people: [],
    dishTimes: [],
    asOf: "2026-11-20T09:00:00.000Z",
    ...fields,
  };
}

/** Returns `count` products, best-selling first. */
function shares(count: number): LearnedShare[] {
  return Array.from({ length: count }, (_, index) => ({ productId: `p${index}`, share: (count - index) / 1000 }));
}

const everything = () => true;

describe("the learned page", () => {
  it("the learned page has what is sold most at this hour, without what is off the menu [TOUCH-23]", () => {
    const isSold = (productId: string) => productId !== "p1";
    const page = learnedPage(learned(shares(30)), { at, person: null, isSold });
    expect(page).toHaveLength(LEARNED_TILES);
    expect(page.slice(0, 3)).toEqual(["p0", "p2", "p3"]);
    const anHourLater = { at: at + 3_600_000, person: null, isSold };
    expect(learnedPage(learned(shares(30)), anHourLater)).toEqual([]);
  });

  it("the learned page prefers what the person sells, whose sales alone make no page [TOUCH-23]", () => {
    const people = [{ name: "Ana", products: [{ productId: "own", share: 0.9 }] }];
    const pageOf = (person: string, hours = shares(8)) =>
      learnedPage(learned(hours, { people }), { at, person, isSold: everything });
    expect(pageOf("Ana")[0]).toBe("own");
    expect(pageOf("Luis")).not.toContain("own");
    expect(pageOf("Ana", [])).toEqual([]);
  });

  it("the learned page is empty with fewer than six dishes [TOUCH-24]", () => {
    const about = { at, person: null, isSold: everything };
    expect(learnedPage(learned(shares(5)), about)).toEqual([]);
    expect(learnedPage(learned(shares(6)), about)).toHaveLength(6);
  });
});

describe("the restaurant's clock", () => {
  it("the hours after midnight belong to the day before [TAPI-50] [TAPI-52]", () => {
    const clock = restaurantClock("America/Santo_Domingo");
    const of = (text: string) => {
      const time = Date.parse(text);
      return [clock.hour(time), clock.day(time), clock.days(time)];
    };
    expect(of("2026-11-21T01:30:00Z")).toEqual([21, "2026-11-20", "weekend"]);
    expect(of("2026-11-23T08:59:00Z")).toEqual([4, "2026-11-22", "weekend"]);
    expect(of("2026-11-23T09:00:00Z")).toEqual([5, "2026-11-23", "week"]);
  });
});

describe("the age of a dish", () => {
  it("a dish is slow a quarter over its usual time and late at double, within bounds [TOUCH-112]", () => {
    const minutes = (usual: number | undefined) => {
      const { slowMs, lateMs } = ageLimitsOf(usual === undefined ? undefined : usual * 60_000);
      return [slowMs / 60_000, lateMs / 60_000];
    };
    expect([12, 1, 90].map(minutes)).toEqual([
      [15, 24],
      [5, 8],
      [37.5, 60],
    ]);
    expect(minutes(undefined)).toEqual([8, 15]);
  });

  it("the age of dishes that are served together is that of the slowest [TOUCH-112]", () => {
    expect(slowestLimits([ageLimitsOf(12 * 60_000), generalAgeLimits])).toEqual(ageLimitsOf(12 * 60_000));
    expect(slowestLimits([ageLimitsOf(60_000), generalAgeLimits])).toEqual(generalAgeLimits);
    expect(slowestLimits([])).toEqual(generalAgeLimits);
  });
});
