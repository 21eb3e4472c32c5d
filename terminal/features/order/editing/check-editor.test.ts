import { expect, it } from "vitest";
import { offlineTerminal } from "../../../test/offline-terminal.ts";
import { testMenu } from "../../../test/test-menu.ts";
import { editorOf } from "./check-editor.ts";

const menu = testMenu();
const draft = { orderType: "takeout", tableId: null } as const;

it("[TOUCH-15] counts what is weighed as it is written: 0.1 and 0.2 more of a dish are 0.3", async () => {
  const terminal = await offlineTerminal();
  const weighed = menu.product(103);
  if (weighed === undefined) throw new Error("no product");
  for (const quantity of [0.1, 0.2]) {
    editorOf(terminal, menu, { order: terminal.orders()[0], draft }).add(weighed, { quantity });
  }
  expect(terminal.orders()[0]?.snapshot.lines).toMatchObject([{ quantity: 0.3, total: 28.32 }]);
});
