import { HOUR_MS } from "@comanda/protocol";
import { expect, it } from "vitest";
import { daysBack } from "./days-back.ts";

it.each([
  ["set back", "2026-11-02T04:30:00Z", ["2026-11-01 25", "2026-10-31 24", "2026-10-30 24"]],
  ["set forward", "2026-03-09T04:30:00Z", ["2026-03-09 24", "2026-03-08 23", "2026-03-07 24"]],
])("each of the last days is listed once and whole when the clocks are %s [HQ-174]", (_, at, expected) => {
  const days = daysBack(Date.parse(at), 3, "America/New_York");
  expect(days.map(({ day, begins, ends }) => `${day} ${(ends - begins) / HOUR_MS}`)).toEqual(expected);
  for (const [index, { begins }] of days.entries()) expect(days[index + 1]?.ends ?? begins).toBe(begins);
});
