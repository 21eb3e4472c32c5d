import { expect, it } from "vitest";
import { clockOfZone } from "./instants.ts";

it("a restaurant has the clock of its time zone, ignoring case in the zone's name [HQ-33]", () => {
  const at = Date.parse("2026-11-22T08:30:00Z");
  const lima = clockOfZone("America/Lima");
  expect([lima?.day(at), lima?.hourBegan(at)]).toEqual(["2026-11-21", "2026-11-22T08:00:00.000Z"]);
  // One clock for all spellings: a hub that varies the case does not fill memory.
  for (const zone of ["america/lima", "AMERICA/LIMA"]) expect(clockOfZone(zone)).toBe(lima);
  expect(clockOfZone("Nowhere/Lima")).toBeNull();
});
