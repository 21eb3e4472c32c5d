import { describe, expect, it } from "vitest";
import { buildLine, buildTicket } from "../../../test/build-ticket.ts";
import { sumDishes } from "./all-day.ts";
import { chimesAt } from "../device/chimes.ts";
import { createSilence } from "../device/silence.ts";
import { ageLimitsOf, generalAgeLimits, MINUTE_MS } from "@comanda/protocol";
import { ageLevel, clockOf, courseAfter, isAtStation, isSeenByShowing, limitsOfLines } from "./ticket-facts.ts";

describe("a ticket", () => {
  it("a ticket of a removed station is shown at the first one [TOUCH-100]", () => {
    const stations = [{ id: "cocina" }, { id: "bar" }];
    const removed = buildTicket("1", { stationId: "parrilla" });
    expect(isAtStation(removed, "cocina", stations)).toBe(true);
    expect(isAtStation(removed, "bar", stations)).toBe(false);
    expect(isAtStation(removed, null, stations)).toBe(true);
    expect(isAtStation(buildTicket("2"), "bar", stations)).toBe(false);
  });

  it("a ticket is seen by being shown, once by each station, unless something was cancelled [TOUCH-103] [TOUCH-104]", () => {
    const seen = [{ stationId: "cocina", at: "2026-11-21T20:00:05.000Z" }];
    const looked = buildTicket("1", { seen, lines: [buildLine("Mofongo", { isSeen: true, state: "seen" })] });
    expect(isSeenByShowing(buildTicket("1"), "cocina")).toBe(true);
    expect(isSeenByShowing(looked, "cocina")).toBe(false);
    expect(isSeenByShowing({ ...looked, lines: [buildLine("Mofongo")] }, "cocina")).toBe(true);
    const cancelled = buildLine("Mofongo", { cancelledQuantity: 1, state: "cancelled" });
    expect(isSeenByShowing(buildTicket("1", { lines: [cancelled, buildLine("Sancocho")] }), "cocina")).toBe(false);
  });

  it("a ticket is an add-on if its station had an earlier one of the check, unless it is the next course [TOUCH-109] [TOUCH-325]", () => {
    const first = buildTicket("first", { posReference: "A" });
    const later = buildTicket("later", { posReference: "A", sentAt: "2026-11-21T20:10:00.000Z" });
    expect(courseAfter(later, [first, later])).toBe("");
    expect(courseAfter(first, [first, later])).toBe(null);
    expect(courseAfter(later, [{ ...first, stationId: "bar" }])).toBe(null);
    const second = { ...later, lines: [buildLine("Chivo", { course: 2 })] };
    expect(courseAfter(second, [first])).toBe("2");
    const more = { ...second, id: "more", sentAt: "2026-11-21T20:20:00.000Z" };
    expect(courseAfter(more, [first, second])).toBe("");
    expect(courseAfter({ ...second, lines: [...second.lines, buildLine("Mofongo")] }, [first])).toBe("");
    const both = { ...second, lines: [...second.lines, buildLine("Flan", { course: 3 })] };
    expect(courseAfter(both, [first])).toBe("2 + 3");
  });

  it("the age of a ticket is shown as a clock and a word [TOUCH-109]", () => {
    expect([0, 67_000, 64 * MINUTE_MS + 7_000].map(clockOf)).toEqual(["0:00", "1:07", "1:04:07"]);
    const levelAt = (minutes: number) => ageLevel(minutes * MINUTE_MS, generalAgeLimits);
    expect([7.9, 8, 15].map(levelAt)).toEqual(["onTime", "slow", "late"]);
  });

  it("a ticket is late by the slowest of the dishes that are still to be cooked [TOUCH-112]", () => {
    const usual = new Map([
      ["Churrasco", 20 * MINUTE_MS],
      ["Cerveza", MINUTE_MS],
    ]);
    const [steak, beer, soup] = [buildLine("Churrasco"), buildLine("Cerveza"), buildLine("Sancocho")];
    expect(limitsOfLines([beer, steak, soup], usual)).toEqual(ageLimitsOf(20 * MINUTE_MS));
    const ready = { ...steak, preparedQuantity: 1 };
    expect(limitsOfLines([beer, ready], usual)).toEqual(ageLimitsOf(MINUTE_MS));
    expect(limitsOfLines([beer, soup], usual)).toEqual(generalAgeLimits);
    expect(limitsOfLines([ready], usual)).toEqual(ageLimitsOf(20 * MINUTE_MS));
  });
});

describe("sums of dishes to make", () => {
  it("the sums say how often a modifier was chosen, and count the dish separately [TOUCH-107]", () => {
    const cheese = (quantity: number) => ({ modifiers: [{ name: "Queso", quantity }] });
    const lines = [1, 2].map((often) => buildLine("Pizza", { lineId: `${often}`, ...cheese(often) }));
    expect(sumDishes([buildTicket("1", { lines })]).map(({ quantity, modifiers }) => [quantity, modifiers])).toEqual([
      [1, ["2 x Queso"]],
      [1, ["Queso"]],
    ]);
  });

  it("the sums count each dish by its modifiers, without ready or cancelled ones [TOUCH-107]", () => {
    const rare = { modifiers: [{ name: "Término medio" }, "Sin sal"] };
    const tickets = [
      buildTicket("1", {
        lines: [
          buildLine("Churrasco", { quantity: 3, preparedQuantity: 1, ...rare }),
          buildLine("Mofongo", { quantity: 2, cancelledQuantity: 2 }),
        ],
      }),
      buildTicket("2", {
        lines: [
          buildLine("Churrasco", { lineId: "a", modifiers: ["Sin sal", "Término medio"] }),
          buildLine("Churrasco", { lineId: "b" }),
        ],
      }),
    ];
    expect(
      sumDishes(tickets).map(({ name, modifiers, quantity, isOn }) => [
        quantity,
        name,
        modifiers,
        tickets.filter(isOn).map(({ id }) => id),
      ]),
    ).toEqual([
      [1, "Churrasco", [], ["2"]],
      [3, "Churrasco", ["Sin sal", "Término medio"], ["1", "2"]],
    ]);
  });
});

describe("chimes", () => {
  it("a chime rings once for new work, once more if unseen for 60 s, and then no more [TOUCH-105]", () => {
    const tickets = [buildTicket("1"), buildTicket("2")];
    let rung = chimesAt(new Map(), [], 0).rung;
    const rings = [0, 1_000, 59_999, 60_000, 61_000, 200_000].map((now) => {
      const chimes = chimesAt(rung, tickets, now);
      ({ rung } = chimes);
      return chimes.tones;
    });
    expect(rings).toEqual([["newTicket"], [], [], ["newTicket"], [], []]);
  });

  it("a chime does not ring again for a station that the device shows again [TOUCH-105]", () => {
    const tickets = [buildTicket("hot"), buildTicket("bar")];
    let rung = chimesAt(new Map(), [], 0).rung;
    const rings = ["hot", "bar", "hot", "bar"].map((station, second) => {
      const chimes = chimesAt(rung, tickets, second * 1_000, ({ id }) => id === station);
      ({ rung } = chimes);
      return chimes.tones;
    });
    expect(rings).toEqual([["newTicket"], ["newTicket"], [], []]);
  });

  it("a chime rings for a cancellation of a seen dish, and not for a seen dish [TOUCH-105]", () => {
    const seen = buildTicket("1", { lines: [buildLine("Mofongo", { isSeen: true, state: "seen" })] });
    const first = chimesAt(new Map(), [seen], 0);
    expect(first.tones).toEqual([]);
    const cancelled = buildLine("Mofongo", { cancelledQuantity: 1, state: "cancelled" });
    expect(chimesAt(first.rung, [{ ...seen, lines: [cancelled] }], 1_000).tones).toEqual(["cancelled"]);
    // After a part was cancelled, the rest is not new if it was seen before.
    const lines = [buildLine("Mofongo", { quantity: 2, cancelledQuantity: 1 })];
    const lookedAt = [{ stationId: "cocina", at: seen.sentAt }];
    expect(chimesAt(first.rung, [{ ...seen, lines, seen: lookedAt }], 1_000).tones).toEqual(["cancelled"]);
    expect(chimesAt(first.rung, [{ ...seen, lines }], 1_000).tones).toEqual(["newTicket", "cancelled"]);
  });
});

describe("silence of the hub", () => {
  const asOf = "2026-11-21T20:00:00.000Z";
  const hubNow = Date.parse(asOf);

  it("the silence counts from the last message, whatever happens to the device's time [TOUCH-106]", () => {
    let ms = 100;
    const silence = createSilence(() => ms);
    expect(silence.at({ asOf, hubNow })).toBe(0);
    ms += 14_000;
    expect(silence.at({ asOf, hubNow: hubNow + 3_600_000 })).toBe(14_000);
    expect(silence.at({ asOf: "2026-11-21T20:00:15.000Z", hubNow })).toBe(0);
  });

  it("the silence is the age of the copy that a reload without the hub shows [TOUCH-106]", () => {
    expect(createSilence(() => 5).at({ asOf, hubNow: hubNow + 90_000 })).toBe(90_000);
    expect(createSilence(() => 5).at({ asOf: null, hubNow })).toBe(null);
  });

  it("the silence is shown after 30 s, and after 4 s without a connection [TOUCH-106]", () => {
    const { isStale } = createSilence(() => 0);
    expect([29_999, 30_000].map((ms) => isStale(ms, true))).toEqual([false, true]);
    expect([3_999, 4_000].map((ms) => isStale(ms, false))).toEqual([false, true]);
    expect([isStale(null, true), isStale(null, false)]).toEqual([false, true]);
  });
});
