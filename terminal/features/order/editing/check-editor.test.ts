import { expect, it } from "vitest";
import { notices } from "../../../lib/page/notices.ts";
import { offlineTerminal } from "../../../test/offline-terminal.ts";
import { testMenu } from "../../../test/test-menu.ts";
import { editorOf } from "./check-editor.ts";

const menu = testMenu();
const draft = { orderType: "takeout", tableId: null } as const;

it("quantities by weight add up as written: 0.1 and 0.2 of a dish are 0.3 [TOUCH-15]", async () => {
  const terminal = await offlineTerminal();
  const weighed = menu.product(103);
  if (weighed === undefined) throw new Error("no product");
  for (const quantity of [0.1, 0.2]) {
    editorOf(terminal, menu, { order: terminal.orders()[0], draft }).add(weighed, { quantity });
  }
  expect(terminal.orders()[0]?.snapshot.lines).toMatchObject([{ quantity: 0.3, total: 28.32 }]);
});

it("choices do not change a dish that was sent or removed while they were open [TOUCH-437]", async () => {
  const terminal = await offlineTerminal();
  const dish = menu.product(103);
  if (dish === undefined) throw new Error("no product");
  const editor = () => editorOf(terminal, menu, { order: terminal.orders()[0], draft });
  editor().add(dish, { quantity: 1 });
  const [opened] = terminal.orders()[0]?.snapshot.lines ?? [];
  if (opened === undefined) throw new Error("no line");
  expect(editor().choose(opened, { quantity: 1, note: "sin azúcar" })).toBe(true);
  terminal.sendToKitchen(terminal.orders()[0]?.posReference ?? "");
  expect(editor().choose(opened, { quantity: 1, note: "sin leche" })).toBe(false);
  expect(terminal.orders()[0]?.snapshot.lines).toMatchObject([{ note: "sin azúcar" }]);
  expect(editor().choose({ ...opened, id: "gone" }, { quantity: 1 })).toBe(false);
  expect([editor().remove(opened), editor().remove({ ...opened, id: "gone" })]).toEqual([false, false]);
  expect(notices.get()).toEqual({ text: "lineGone" });
  expect(terminal.orders()[0]?.snapshot.lines).toHaveLength(1);
});
