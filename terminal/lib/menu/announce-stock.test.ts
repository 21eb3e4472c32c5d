import { expect, it, onTestFinished } from "vitest";
import { offlineTerminal } from "../../test/offline-terminal.ts";
import { hideNotice, notices } from "../page/notices.ts";
import { stockInputOf, announceStock } from "./announce-stock.ts";

it("undo restores the previous stock of a dish that was set to sold out [TOUCH-18]", () => {
  const counted = { productId: 7, state: "limited" as const, left: 5, until: null, updatedAt: "" };
  expect(stockInputOf([counted], "7")).toEqual({ productId: "7", state: "limited", left: 5, until: null });
  expect(stockInputOf([counted], 8)).toEqual({ productId: 8, state: "available" });
});

it("undo restores only this device's own setting, and otherwise says that it changed [TOUCH-18]", async () => {
  const terminal = await offlineTerminal();
  onTestFinished(hideNotice);
  terminal.setItemState({ productId: "7", state: "limited", left: 5 });
  const undo = (): void => notices.get()?.act?.run();
  const left = () => stockInputOf(terminal.itemStates(), "7");

  announceStock(terminal, { productId: "7", state: "out" }, "out");
  undo();
  expect(left()).toMatchObject({ state: "limited", left: 5 });

  announceStock(terminal, { productId: "7", state: "out" }, "out");
  terminal.setItemState({ productId: "7", state: "limited", left: 2 });
  undo();
  expect(left()).toMatchObject({ state: "limited", left: 2 });
  expect(notices.get()).toEqual({ text: "changedSince" });
});
