import { expect, it } from "vitest";
import { moverOf } from "./mover-of.ts";

it("the first change after a check was seen at its table shows who moved it, and a later one does not [TOUCH-439]", () => {
  const seen = { posReference: "A", tableId: 31, version: 5, origin: "luis" };
  const moved = { ...seen, tableId: 32 };
  const mover = (fields: Partial<typeof seen>) => moverOf({ ...moved, ...fields }, seen, "ana");
  expect(mover({ version: 6, origin: "berta" })).toEqual({ terminalId: "berta" });
  // Carlos added a dish after Berta had moved the check, for example while this device was offline.
  expect(mover({ version: 7, origin: "carlos" })).toEqual({ terminalId: null });
  expect(mover({ version: 7, origin: "ana" })).toEqual({ terminalId: null });
  // This device's own move needs no notice, neither before nor after the hub's answer.
  expect([mover({ version: 5 }), mover({ version: 6, origin: "ana" })]).toEqual(["self", "self"]);
  // It was at two tables, and stays at one of them.
  expect(mover({ tableId: 31, version: 6, origin: "berta" })).toBe("self");
  expect(moverOf(moved, undefined, "ana")).toEqual({ terminalId: null });
});
