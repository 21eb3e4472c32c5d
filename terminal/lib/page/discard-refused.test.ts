import { TerminalRefusal } from "@comanda/terminal";
import { expect, it } from "vitest";
import { discardRefused } from "./discard-refused.ts";

it("a refused mutation is discarded unless somebody has decided on it meanwhile [TOUCH-42]", async () => {
  expect(await discardRefused({ discard: async () => {} }, "m")).toBe(true);
  const decided = async () => {
    throw new TerminalRefusal("NOT_FOUND", "there is no conflict m");
  };
  expect(await discardRefused({ discard: decided }, "m")).toBe(false);
});
