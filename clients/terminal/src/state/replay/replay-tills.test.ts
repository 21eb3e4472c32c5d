import { expect, it } from "vitest";
import { entry } from "../../../test/builders.ts";
import { replayTills } from "./replay-tills.ts";

const till = { id: "bar", name: "Barra", terminals: ["front"], shift: null };
const open = entry({ type: "TILL_OPEN", tillId: "bar", shiftId: "s", float: 100 });
const count = entry({ type: "TILL_COUNT", shiftId: "s", counted: [] });

it("a shift opened or counted here is shown before the hub has answered [TILL-40]", () => {
  const shown = (...entries: (typeof open)[]) => replayTills([till], entries)[0]?.shift;
  expect(shown()).toBeNull();
  expect(shown(open)).toEqual({ id: "s", openedAt: open.queuedAt, openedBy: "", state: "open" });
  expect(shown(open, count)).toMatchObject({ state: "counted" });
  const refusal = { errorCode: "SHIFT_OPEN", error: "", collisions: [], at: "" } as const;
  expect(shown({ ...open, refusal: { ...refusal, collisions: [] } })).toBeNull();
});
