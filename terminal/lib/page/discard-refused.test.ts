import { TerminalRefusal } from "@comanda/terminal";
import { expect, it } from "vitest";
import { discardRefused } from "./discard-refused.ts";

it("gives up what was refused, unless somebody has decided on it while another was asked [TOUCH-42]", async () => {
  expect(await discardRefused({ discard: async () => {} }, "m")).toBe(true);
  const decided = async () => {
    throw new TerminalRefusal("NOT_FOUND", "there is no conflict m");
  };
  expect(await discardRefused({ discard: decided }, "m")).toBe(false);
});
