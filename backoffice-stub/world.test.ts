import { expect, it } from "vitest";
import { fiscalDay } from "./world.ts";

it("the fiscal day is Santo Domingo's, four hours behind UTC all year [BO-32]", () => {
  expect(fiscalDay(Date.parse("2027-01-01T03:59:59Z"))).toBe("2026-12-31");
  expect(fiscalDay(Date.parse("2027-01-01T04:00:00Z"))).toBe("2027-01-01");
  expect(fiscalDay(Date.parse("2026-07-01T04:00:00Z"))).toBe("2026-07-01");
});
