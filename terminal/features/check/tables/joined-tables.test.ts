import { expect, it } from "vitest";
import { joinedTables } from "./joined-tables.ts";

it("joining keeps tables that others have joined or parted meanwhile, except for those tapped here [TOUCH-437]", () => {
  // Opened while the check had tables 4 and 5; then 6 was selected and 5 deselected.
  const taps = new Map([
    [6, true],
    [5, false],
  ]);
  expect(joinedTables({ tableId: 4, tableIds: [4, 5] }, taps)).toEqual([6]);
  expect(joinedTables({ tableId: 4, tableIds: [4, 5, 7] }, taps)).toEqual([7, 6]);
  expect(joinedTables({ tableId: 9 }, taps)).toEqual([6]);
  expect(joinedTables({ tableId: 6, tableIds: [6, 4] }, taps)).toEqual([4]);
});
