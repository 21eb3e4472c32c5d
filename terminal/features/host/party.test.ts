import { RESERVATIONS_PLUGIN } from "@comanda/protocol";
import type { Mutation } from "@comanda/terminal";
import { expect, it } from "vitest";
import { openCheck } from "../../checks/new-check.ts";
import { offlineTerminal } from "../../test/offline-terminal.ts";
import { notSeated, unseat } from "./party.ts";

type Outcome = Awaited<Mutation["outcome"]>;

/** The hub's answer to a seating, or to its undo. */
function answered(id: string, outcome: object): Pick<Mutation, "id" | "outcome"> {
  return { id, outcome: Promise.resolve(outcome as Outcome) };
}

function refused(errorCode: string, behind: string[] = []): object {
  const refusal = { errorCode, ...(errorCode === "PARTY_SEATED" && { existing: { posReference: "B" } }) };
  return { state: "refused", conflict: { refusal, behind: behind.map((type) => ({ type })) } };
}

it("guests are expected again once their check is removed, unless another check names them [TOUCH-124]", async () => {
  const terminal = await offlineTerminal();
  const marks: boolean[] = [];
  const record = { pluginId: RESERVATIONS_PLUGIN, key: "b-1" };
  const party = { record, mark: async (isSeated: boolean) => marks.push(isSeated) };
  await unseat(terminal, party, answered("m", refused("FORBIDDEN")));
  await unseat(terminal, party, answered("m", { state: "discarded" }));
  expect(marks).toEqual([]);
  await unseat(terminal, party, answered("m", { state: "acknowledged" }));
  expect(marks).toEqual([false]);
  // A check opened on another host's terminal.
  openCheck(
    terminal,
    { orderType: "dine_in", tableId: 31, pluginData: { [record.pluginId]: { key: record.key } } },
    [],
  );
  await unseat(terminal, party, answered("m", { state: "acknowledged" }));
  expect(marks).toEqual([false]);
});

it("a seating that was undone before the hub refused it leaves no conflict [TOUCH-438]", async () => {
  const discarded: string[] = [];
  const terminal = { discard: async (id: string) => void discarded.push(id), orders: () => [] };
  const code = (id: string, behind: string[]) => notSeated(terminal, answered(id, refused("PARTY_SEATED", behind)));
  expect(await code("at once", [])).toBe("PARTY_SEATED");
  expect(await code("undone", ["ORDER_DISCARD"])).toBe("PARTY_SEATED");
  expect(await code("with dishes", ["ORDER_UPSERT", "ORDER_DISCARD"])).toBeNull();
  // There is nothing to take back.
  await unseat(terminal, null, answered("undo", refused("NOT_FOUND")));
  await unseat(terminal, null, answered("locked", refused("ORDER_LOCKED")));
  expect(discarded).toEqual(["at once", "undone", "undo"]);
});
