import { settingRow } from "@comanda/protocol";
import { expect, it } from "vitest";
import { isWithin } from "./is-within.ts";

it("values are valid as the hub takes them: amounts with cents, all others whole and within bounds [DESK-90]", () => {
  const tolerance = settingRow("HUB_TILL_TOLERANCE");
  for (const value of ["", "0", "100", "99.50", "99.5"]) expect(isWithin(tolerance, value), value).toBe(true);
  for (const value of ["-1", "99.505", "1e3", "cien"]) expect(isWithin(tolerance, value), value).toBe(false);
  const port = settingRow("HUB_HTTP_PORT");
  expect([isWithin(port, "8766"), isWithin(port, "8766.5"), isWithin(port, "70000")]).toEqual([true, false, false]);
});
