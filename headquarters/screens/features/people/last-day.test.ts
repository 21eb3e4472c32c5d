import { expect, it } from "vitest";
import { endOfDay, lastDayOf } from "./last-day.ts";

it("the last day of support is shown as it was chosen, whatever day that is in UTC [HQ-108]", () => {
  for (const timeZone of ["America/Santo_Domingo", "UTC", "Asia/Tokyo"]) {
    expect(lastDayOf(endOfDay("2026-12-09", timeZone), timeZone)).toBe("2026-12-09");
  }
  expect(endOfDay("2026-12-09", "America/Santo_Domingo")).toBe("2026-12-10T03:59:59.000Z");
});
