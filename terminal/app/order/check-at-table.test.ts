import { expect, it } from "vitest";
import { openCheck } from "../../checks/new-check.ts";
import { offlineTerminal } from "../../test/offline-terminal.ts";
import { checkAtTable } from "./check-at-table.ts";

it("a moved check has left its table, even if the table has no other check [TOUCH-439]", async () => {
  const terminal = await offlineTerminal();
  const { posReference } = openCheck(terminal, { orderType: "dine_in", tableId: 31 }, []);
  const at = (tableId: number, chosen: string | null) => {
    const { checks, order, hasLeft, moved } = checkAtTable(terminal.orders(), tableId, chosen);
    const nameOf = (check: typeof order) => check?.posReference;
    return { checks: checks.map(nameOf), order: nameOf(order), hasLeft, moved: nameOf(moved) };
  };
  const here = { checks: [posReference], order: posReference, hasLeft: false, moved: undefined };
  expect(at(31, null)).toEqual({ ...here, order: undefined });
  expect(at(31, posReference)).toEqual(here);
  terminal.moveToTable(posReference, 32);
  expect(at(31, posReference)).toEqual({ checks: [], order: undefined, hasLeft: true, moved: posReference });
  expect(at(32, posReference)).toEqual(here);
  const other = openCheck(terminal, { orderType: "dine_in", tableId: 31 }, []).posReference;
  expect(at(31, posReference)).toMatchObject({ checks: [other], order: undefined, hasLeft: true });
  terminal.discardOrder(posReference);
  expect(at(31, posReference)).toEqual({ checks: [other], order: undefined, hasLeft: true, moved: undefined });
  terminal.discardOrder(other);
  expect(at(31, posReference)).toMatchObject({ hasLeft: false, moved: undefined });
});
